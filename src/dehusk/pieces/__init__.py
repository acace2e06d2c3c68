"""Text between tags, finer than blocks: what sequence labels are given to."""
