"""A small neural network that reads the blocks of a page in order and says which are content."""
