"""Anything stored or fetched -> a stream of RawPage."""
