"""Many pages: steps that know nothing of processes, and ways to run them that know nothing of steps."""
