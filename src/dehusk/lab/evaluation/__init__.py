"""Scores against gold, quality floors, and comparisons with other tools."""
