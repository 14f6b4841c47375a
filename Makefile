# The commands of the project. `make run` and `make test` need only Python 3.11+, make and a package index.
PYTHON ?= python3
PORT ?= 8765
FUZZ_SECONDS ?= 60
VENV := .venv
PY := $(VENV)/bin/python
UV := $(shell command -v uv 2>/dev/null)

.PHONY: run test check format lint types architecture bench chaos eval soak pictures demo fuzz lock clean help

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

run: $(VENV)/.run ## install what is needed and start the product on 127.0.0.1:$(PORT)
	@$(PY) -m answerable serve --port $(PORT)

test: $(VENV)/.test ## install the test tools and run the tests
	$(PY) -m pytest -n auto --dist loadfile

check: format lint types architecture test ## all that CI asks for

format: $(VENV)/.test
	$(VENV)/bin/ruff format --check .

lint: $(VENV)/.test
	$(VENV)/bin/ruff check .

types: $(VENV)/.test
	$(VENV)/bin/mypy

architecture: $(VENV)/.test
	$(PY) -m pytest -q tests/test_architecture.py

bench: $(VENV)/.test ## measure; prints tables
	$(PY) benchmarks/run.py
	$(PY) -m benchmarks.streams
	$(PY) -m benchmarks.page

chaos: $(VENV)/.test ## kill the server at any stage of 200 runs, and let eight writers at one file for a minute
	$(PY) -m benchmarks.chaos

eval: $(VENV)/.test ## answer the collection's questions, edit true claims, and hold the pinned floors
	$(PY) -m answerable eval run --floors
	$(PY) -m answerable eval edits --floors

pictures: $(VENV)/.test ## take the pictures of the docs (needs Chromium)
	$(PY) docs/pictures.py

demo: $(VENV)/.test ## record the demo of the README (needs Chromium)
	$(PY) docs/pictures.py --demo

soak: $(VENV)/.test ## fetch 2,000 times from a host with every fault; prints what is left and the worst delay
	$(PY) benchmarks/soak.py

# Atheris instruments what it imports, so it stands in an environment of its own, over the one of the tests.
fuzz: $(VENV)/.test ## fuzz decoding, extraction and passages for FUZZ_SECONDS (60); coverage-guided where atheris installs
	@test -x .venv-fuzz/bin/python || $(PY) -m venv .venv-fuzz
	@$(PY) -c 'import sysconfig; print("import site; site.addsitedir(%r)" % sysconfig.get_path("purelib"))' > \
	  "$$(.venv-fuzz/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/tests.pth"
	@.venv-fuzz/bin/python -c 'import atheris' 2>/dev/null || .venv-fuzz/bin/pip install --quiet "atheris>=3,<4" || true
	PYTHONPATH=src .venv-fuzz/bin/python benchmarks/fuzz.py --seconds $(FUZZ_SECONDS)

lock: ## rewrite the requirement locks (needs uv)
	requirements/lock.sh

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) .venv-fuzz .fuzz-corpus .mypy_cache .ruff_cache .pytest_cache

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' || \
	  { echo "Answerable needs Python 3.11 to 3.14; set PYTHON=/path/to/python3.12"; exit 1; }
ifneq ($(UV),)
	uv venv --quiet --allow-existing --python "$(shell command -v $(PYTHON))" $(VENV)
else
	$(PYTHON) -m venv $(VENV)
endif

# The package itself is installed last, in place, with the build tool that the lock names.
$(VENV)/.run: requirements/run.txt pyproject.toml | $(PY)
ifneq ($(UV),)
	uv pip install --quiet --python $(PY) --require-hashes -r requirements/run.txt
	uv pip install --quiet --python $(PY) --no-deps --no-build-isolation -e .
else
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
endif
	@touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.run
ifneq ($(UV),)
	uv pip install --quiet --python $(PY) --require-hashes -r requirements/test.txt
else
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
endif
	@touch $@
