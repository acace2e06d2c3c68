"""`python -m dehusk` is `dehusk`."""

from dehusk.cli import main

main()
