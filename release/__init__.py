"""Build what users install, and try it as they would."""
