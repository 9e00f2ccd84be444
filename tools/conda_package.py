"""Build the package of conda from recipe/recipe.yaml, and run the tests that the recipe names.

    pip install py-rattler-build && python tools/conda_package.py
    python tools/conda_package.py --channel file:///DIR      the dependencies from another channel than conda-forge

The exit status is 0 only if it was built and every test passed.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from repository import ROOT


def main(arguments: Sequence[str]) -> int:
    from rattler_build import Package, Stage0Recipe, VariantConfig

    parser = argparse.ArgumentParser(prog="python tools/conda_package.py")
    parser.add_argument("--channel", default="conda-forge", help="where the dependencies are")
    channels = [parser.parse_args(arguments).channel]
    recipe = Stage0Recipe.from_file(ROOT / "recipe" / "recipe.yaml")
    with tempfile.TemporaryDirectory() as folder:
        for variant in recipe.render(VariantConfig()):
            variant.run_build(channels=channels, output_dir=Path(folder))
        built = sorted(Path(folder, "noarch").glob("*.conda"))
        results = [test for file in built for test in Package.from_file(file).run_tests(channel=channels)]
    print(
        *(file.name for file in built),
        f"{sum(test.success for test in results)} of {len(results)} tests passed",
    )
    return int(not results or not all(test.success for test in results))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
