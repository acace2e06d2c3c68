"""Running code that may fail: a guard for exceptions, processes with limits, and files written whole or not at all."""
