"""RawPage -> Page."""
