"""Page -> Blocks."""
