"""What a model has learnt about a site, in readable form: model -> outline -> listing or HTML page."""
