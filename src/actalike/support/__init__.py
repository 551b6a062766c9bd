"""Provide small helpers that know nothing of event logs. Other rooms import them by module."""
