#!/bin/sh
# Rewrites both locks from pyproject.toml: name, version, hashes and markers for Python 3.11 to 3.14, no index address.
set -eu
cd "$(dirname "$0")/.."
compile="uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header"
$compile pyproject.toml requirements/build.in --output-file requirements/run.txt "$@"
$compile pyproject.toml requirements/build.in --group test --constraints requirements/run.txt --output-file requirements/test.txt "$@"
