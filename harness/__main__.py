"""``python -m harness`` is the command ``sixtysix``."""

import sys

from harness.cli.app import main

if __name__ == "__main__":
    sys.exit(main())
