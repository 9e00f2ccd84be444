#!/bin/sh
# On a machine with an NVIDIA GPU: the judge on CuPy and on PyTorch, then the page of speed, on standard output.
# Needs a CuPy for the machine's CUDA (pip install cupy-cuda12x, say); the contenders come with the extras [torch,jax].
# Takes the repository's .venv where there is one, else the python on the path.
set -eu
cd "$(dirname "$0")/.."
python=python3
if [ -x .venv/bin/python ]; then python=.venv/bin/python; fi
if ! "$python" -c 'import cupy' 2>/dev/null; then
    echo "CuPy is missing: install the cupy package for this machine's CUDA, for example cupy-cuda12x" >&2
    exit 2
fi
"$python" -m pytest tests/losses tests/test_streaming.py -k cupy >&2
"$python" -m pytest tests/test_kernels.py >&2
"$python" -m infonce_ref verify --backend cupy >&2
"$python" -m infonce_ref verify --backend torch:cuda >&2
"$python" tools/benchmark.py --table gpu gpu-losses "$@"
