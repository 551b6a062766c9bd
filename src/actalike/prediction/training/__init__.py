"""Train next-activity models with numpy and torch, many at a time."""
