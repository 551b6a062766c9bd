"""The efficiency benchmark: how long a method takes, from a log to all distances, and how much memory."""
