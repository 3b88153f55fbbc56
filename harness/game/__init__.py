"""The checked door: rules and presets, notation, hand, match and transcript."""
