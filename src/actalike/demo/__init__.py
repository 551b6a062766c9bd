"""The demonstration: a made-up loan desk."""
