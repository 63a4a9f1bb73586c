# Everything a newcomer types. Needs only python3 (3.11 or newer, with venv) and make.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
# Errors only: of a gap in a package index, pip warns once for every package.
INSTALL := $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check
OLD_PYTHON := gpdr needs Python 3.11 or newer: install it, or name one, as in: make PYTHON=python3.12

.DEFAULT_GOAL := help
.PHONY: help run test lint docs bench quality verify figure

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(READY) ## evolve a rule for one clinic; writes out/
	@$(BIN)/gpdr evolve --clinic paper:15 --set tolerance=0.003 --out out

test: $(READY) ## run the tests
	@$(BIN)/python -m pytest -q -n 2

lint: $(READY) ## style, types, who may import whom, spelling
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/codespell

docs: $(READY) ## build the documentation into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

bench: $(READY) ## our speed beside others', and what we promise of it
	@$(BIN)/python -m bench

quality: $(READY) ## how far evolved rules are above the optimum
	@$(BIN)/python -m bench.quality

verify: $(READY) ## the slow checks too: a quarter of an hour
	@$(BIN)/python -m pytest -q -n 2 -m slow

figure: $(READY) ## draw the figure of the README again
	@$(BIN)/python -m bench.figure

# Made again only when the pinned versions change.
$(READY): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { echo '$(OLD_PYTHON)' >&2; exit 1; }
	@echo 'Setting up .venv, once: a few minutes' >&2
	@$(PYTHON) -m venv .venv
	@$(INSTALL) -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@
