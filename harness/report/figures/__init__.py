"""The data of the figures, apart from drawing: numbers, labels and units, ready to be tested."""
