"""The parts of site_methods.py: one module a question, over sites that are read once."""
