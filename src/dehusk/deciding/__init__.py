"""Scores -> keep or drop: the decision, and every rule that overrides a score."""
