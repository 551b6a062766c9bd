"""``python -m actalike`` is the command ``actalike``."""

from actalike.cli import main

main()
