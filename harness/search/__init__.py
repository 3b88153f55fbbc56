"""What strong agents share: worlds that agree with a view, rollouts, the exact solver."""
