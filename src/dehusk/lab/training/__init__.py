"""Train models on labelled pages. Only these modules use gold to build a model."""
