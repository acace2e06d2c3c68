"""The papers' mining experiments: clustering and classifying pages with and without cleaning."""
