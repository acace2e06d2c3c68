"""The web app: choose pages, eliminate their noise, see what went and why. docs/webapp.md is its contract."""
