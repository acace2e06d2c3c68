"""The papers' mining experiments: clustering and classification of pages, with and without cleaning."""
