"""The version, alone, so that packaging and `dehusk --version` read it without importing anything else."""

__version__ = "0.1.0"
