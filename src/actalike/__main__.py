"""``python -m actalike`` is the command ``actalike``."""

import sys


def run() -> None:
    """Run the command. Ctrl-C while its modules are still being loaded ends it in a line too."""
    try:
        from actalike.cli.main import main

        main()
    except KeyboardInterrupt:
        print("actalike: stopped.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    run()
