"""What strong agents and `analyze` share: worlds that agree with a view, match equity, the exact solver."""
