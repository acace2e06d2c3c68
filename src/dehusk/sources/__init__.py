"""Anything stored or fetched -> stream of RawPage."""
