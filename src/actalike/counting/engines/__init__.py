"""Events where they are: in a frame, a database or on a cluster. Each engine gives the windows, or a log, of its events."""
