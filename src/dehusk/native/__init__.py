"""The compiled part of dehusk (`native/` in the repository), called through its C interface."""
