"""Benchmarks: how well a method tells which activities act alike."""
