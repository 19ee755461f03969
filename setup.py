"""Build of the compiled kernels; without a compiler the package installs and runs without them."""

import sys

from setuptools import Extension, setup

try:
    import numpy as np
    from Cython.Build import cythonize
except ImportError:
    extensions = []
else:
    kernels = [
        Extension(
            f"structce.kernels.{name}",
            [f"structce/kernels/{name}.pyx"],
            include_dirs=[np.get_include()],
            define_macros=[("NPY_NO_DEPRECATED_API", "NPY_1_7_API_VERSION")],
            extra_compile_args=[] if sys.platform == "win32" else ["-O3"],
        )
        for name in ("_compiled", "_walk")
    ]
    extensions = cythonize(kernels, language_level=3)
    for extension in extensions:
        extension.optional = True

setup(ext_modules=extensions)
