# Two commands for a newcomer: `make run` and `make test`. Each sets everything up by itself.
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
INSTALLED := .venv/.installed

.PHONY: help run test slow lint clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(INSTALLED): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "sixtysix needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; try: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

run: $(INSTALLED)  ## a million hands between the built-in bots, with ratings, figures and a page
	$(BIN)/sixtysix tournament configs/tournaments/first.toml --plot --replace

test: $(INSTALLED)  ## the whole test suite, the layering of the imports included
	$(BIN)/python -m pytest -n 2 --dist loadfile

slow: $(INSTALLED)  ## the long studies that the suite leaves out
	$(BIN)/python -m pytest -m slow

lint: $(INSTALLED)  ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:  ## remove the environment and all caches
	rm -rf .venv build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
