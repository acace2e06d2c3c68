"""How good is a method? Scores against gold, floors, and comparisons."""
