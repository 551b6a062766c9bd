"""``python -m actalike`` is the command ``actalike``."""

from actalike.cli.main import main

main()
