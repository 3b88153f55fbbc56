"""The compiled rules: numbers in, numbers out."""
