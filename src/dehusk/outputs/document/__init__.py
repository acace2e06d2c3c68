"""Labelled blocks -> Document: what is kept, in the structure it has on the page. Formats are written from it."""
