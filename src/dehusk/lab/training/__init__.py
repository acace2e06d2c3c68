"""Labelled pages -> models. Only these modules see gold before a model is made."""
