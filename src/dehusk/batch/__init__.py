"""Cleaning any number of pages of any number of sites: steps, and engines that run them."""
