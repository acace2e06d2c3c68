"""What a model has learnt of a site, for people to read: model -> outline -> listing or page."""
