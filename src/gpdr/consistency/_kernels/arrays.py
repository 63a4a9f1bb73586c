"""Names for the types that the kernels of this room take."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Node = Any  # a record of memory.NODE
Records = NDArray[Any]
Index = NDArray[np.int32]
Reals = NDArray[np.float64]
Grid = NDArray[np.float64]  # two-dimensional
Flags = NDArray[np.bool_]
