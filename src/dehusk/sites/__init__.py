"""Which pages make a site."""
