"""Where on a site each part of a page stands: the same place has the same key on every page."""
