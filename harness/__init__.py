"""sixtysix: a tournament and simulation harness for the card games Sixty-Six and Schnapsen."""
