"""The tasks: what each benchmark asks, and how it judges the answers."""
