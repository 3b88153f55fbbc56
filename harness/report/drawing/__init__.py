"""Drawing of figure data in one style; matplotlib is imported here and nowhere else, so whoever draws imports late."""
