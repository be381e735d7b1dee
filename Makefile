# Everything a contributor needs is one word: `make` lists them.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip install --quiet --disable-pip-version-check
READY  := $(VENV)/.ready
ARGS   ?=

.DEFAULT_GOAL := help
.PHONY: help setup demo check format test quick corpus bench fuzz damage checker suites matrix zoo opcodes docs docs-update tables package clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  (ARGS=\"...\" hands options to these, such as corpus and bench; --help shows them)"

# Installed again only when pyproject.toml changes.
$(READY): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) --editable '.[dev]'
	@touch $@

# The torch that the tests run with, or else the newest that this Python has; TORCH=no installs none.
TORCH  ?= yes
TORCHY := $(VENV)/.torch-$(TORCH)
$(TORCHY): $(READY)
	@if [ "$(TORCH)" = yes ]; then \
	  echo "Installing torch in $(VENV), once; that takes some minutes. TORCH=no does without."; \
	  $(PIP) --editable '.[dev,torch-tests]' || \
	  { echo "That torch is not to be had here; installing the newest that this Python has."; \
	    $(PIP) --editable '.[dev,torch]' numpy; } || \
	  echo "torch could not be installed: what needs it is left out"; \
	else echo "TORCH=no: the installation of torch is left out"; fi
	@touch $@

# CPython 3.14 for WebAssembly, where node is there to run it; the tests skip it otherwise.
PY314 := tools/python314/node_modules/.ready
$(PY314): tools/python314/package.json
	@if command -v npm > /dev/null; then \
	  cd tools/python314 && npm install --silent --no-audit --no-fund && touch node_modules/.ready; \
	else echo "npm is not installed: Python 3.14 is left out"; fi || \
	  echo "Python 3.14 could not be fetched and is left out"

setup: $(READY) $(TORCHY) $(PY314) ## make .venv with everything needed to work on depyf

demo: $(READY) $(TORCHY) ## a look inside torch.compile (TORCH=no: the decompiler alone)
	@$(BIN)/python examples/demo.py $(if $(filter no,$(TORCH)),--without-torch)

check: $(READY) ## lint, formatting, types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { $(BIN)/ruff format --check .; exit 1; }
	@$(BIN)/mypy --strict src

format: $(READY) ## rewrite the files the way `make check` wants them
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .

# A process for each of up to four cores; a file's tests share what is expensive to make, so they stay together.
test: check $(TORCHY) $(PY314) ## check, then all tests
	@$(BIN)/python -m pytest --numprocesses=auto --maxprocesses=4 --dist=loadfile $(ARGS)

quick: $(READY) $(TORCHY) $(PY314) ## only the tests, stop at the first failure
	@$(BIN)/python -m pytest -x $(ARGS)

corpus: $(READY) $(PY314) ## decompile and prove the standard library of every Python found
	@$(BIN)/python tools/corpus.py $(ARGS)

bench: $(READY) $(TORCHY) ## time and memory, as ratios measured in one run
	@$(BIN)/python benchmarks/bench.py $(ARGS)

fuzz: $(READY) $(PY314) ## random programs, original against decompiled
	@$(BIN)/python tools/fuzz.py $(ARGS)

damage: $(READY) $(PY314) ## damaged bytecode and .pyc files: source or an error, nothing else
	@$(BIN)/python tools/mutate_bytecode.py $(ARGS)

checker: $(READY) $(PY314) ## mutated bytecode that the checkers must object to
	@$(BIN)/python tools/checker_mutations.py $(ARGS)

suites: $(READY) ## CPython's own tests, their modules replaced by decompiled source
	@$(BIN)/python tools/stdlib_tests.py $(ARGS)

matrix: $(READY) ## the torch tests on five pairs of Python and torch (downloads 30 GB)
	@$(BIN)/python tools/matrix.py --write docs/torch_versions.md $(ARGS)

zoo: $(READY) $(TORCHY) ## a hundred tiny models of transformers, plain and watched (pip installs transformers)
	@$(BIN)/python -c "import transformers" 2> /dev/null || \
	  $(PIP) transformers
	@$(BIN)/python tools/zoo.py $(ARGS)

opcodes: $(READY) ## what the decompiler supports, per Python version
	@$(BIN)/python python_coverage.py

docs: $(READY) ## the documentation as a site, in build/site
	@$(BIN)/python -c "import material" 2> /dev/null || \
	  $(PIP) --editable '.[docs]'
# Not --quiet: it drops the warnings before --strict counts them.
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "Open build/site/index.html (to search: $(BIN)/python -m http.server -d build/site)"

docs-update: $(READY) $(TORCHY) ## write everything anew that README and docs show, from runs
	@$(BIN)/python tools/update_documents.py $(ARGS)

tables: $(READY) ## write the tables of the README anew, from the last make corpus and make matrix
	@$(BIN)/python tools/update_documents.py --tables

package: $(READY) $(PY314) ## wheel and sdist in dist/, checked, and installed on the oldest and newest Python
	@$(PIP) --editable '.[package]'
	@$(BIN)/python tools/package.py

clean: ## remove everything that can be made again
	@rm -rf $(VENV) tools/python314/node_modules build dist .mypy_cache .ruff_cache .pytest_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
