"""The commands of the benchmarks: a file for each, joined in app.py."""
