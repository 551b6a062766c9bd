"""The tasks: what each benchmark measures, and the science that it needs."""
