"""The intrinsic benchmark."""
