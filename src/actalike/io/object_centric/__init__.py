"""Object-centric logs (OCEL 2.0): events that involve objects of several types, read and flattened by one type."""
