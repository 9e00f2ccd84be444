"""python -m infonce_ref"""

import sys

from .cli import main

sys.exit(main())
