"""Sequence labels (Marek, Pecina & Spousta 2007): a conditional random field over the text runs of a page."""
