"""Count events where they are stored: in a frame, in a database or on a cluster."""
