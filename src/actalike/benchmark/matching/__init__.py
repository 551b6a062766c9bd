"""The benchmark of matching: is it found which activity of one log is which of another?"""
