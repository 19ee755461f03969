"""Threads of linear algebra, set before anything is imported that reads them.

Tests run in as many processes as there are cores; more threads would only wait for one another.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
