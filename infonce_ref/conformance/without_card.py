"""Run a PyTorch loss that needs a GPU on the CPU, on a machine without a GPU."""

import contextlib
import importlib
import re
import sys
from collections.abc import Callable
from typing import Any

NOTE = "it asks for a GPU: run on the CPU"


def run(call: Callable[[], Any], notes: dict[str, None]) -> Any:
    """Call it; if it needs a GPU and there is none, keep all tensors on the CPU, and add this to the notes."""
    if NOTE not in notes:
        try:
            return call()
        except Exception as error:  # a user's code may raise anything
            if not lacks_card(error):
                raise
    with replace_gpu():
        found = call()
    notes[NOTE] = None
    return found


def lacks_card(error: Exception) -> bool:
    """Return whether an error says that there is no GPU, on a machine without one."""
    torch = sys.modules.get("torch")
    asked = re.search("cuda|nvidia|accelerator device", str(error), re.IGNORECASE)
    return torch is not None and asked is not None and not torch.cuda.is_available()


@contextlib.contextmanager
def replace_gpu() -> Any:
    """Replace the GPU by the CPU in every call of PyTorch."""
    torch: Any = sys.modules["torch"]
    overrides: Any = importlib.import_module("torch.overrides")

    def replace(x: Any) -> Any:
        of_card = (x.type if isinstance(x, torch.device) else str(x)).startswith("cuda")
        return torch.device("cpu") if of_card and isinstance(x, str | torch.device) else x

    class OnCPU(overrides.TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if getattr(function, "__name__", "") == "cuda":
                return args[0]
            if function is torch.device:  # whose type must be a word
                return replace(function(*args, **(kwargs or {})))
            named = {name: replace(x) for name, x in (kwargs or {}).items()}
            return function(*map(replace, args), **named)

    current, torch.cuda.current_device = torch.cuda.current_device, lambda: torch.device("cpu")
    try:
        with OnCPU():
            yield
    finally:
        torch.cuda.current_device = current
