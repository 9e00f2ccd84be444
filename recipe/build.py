"""Build the package of conda, and run the tests that recipe.yaml names: `.ci/run -s recipe [-- CHANNEL]`."""

import sys
import tempfile
from pathlib import Path

from rattler_build import Package, Stage0Recipe, VariantConfig

channels = sys.argv[1:] or ["conda-forge"]
recipe = Stage0Recipe.from_file(Path(__file__).with_name("recipe.yaml"))
with tempfile.TemporaryDirectory() as folder:
    for variant in recipe.render(VariantConfig()):
        variant.run_build(channels=channels, output_dir=Path(folder))
    built = sorted(Path(folder, "noarch").glob("*.conda"))
    passed = [test.success for file in built for test in Package.from_file(file).run_tests(channel=channels)]
print(*(file.name for file in built), f"{sum(passed)} of {len(passed)} tests passed")
sys.exit(not passed or not all(passed))
