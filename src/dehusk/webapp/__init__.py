"""The web app: choose pages, eliminate their noise, see what went and why. See docs/webapp.md, which is its contract."""
