"""The web app: add pages, remove their boilerplate, see what was removed and why. docs/webapp.md is its contract."""
