"""The next-activity benchmark: how well a method's vectors serve a network that predicts what comes next."""
