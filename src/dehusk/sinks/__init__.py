"""Records of cleaned pages -> files, written whole or not at all."""
