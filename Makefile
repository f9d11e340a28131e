# Cerebria Companion. `make` prints this menu; `make run` and `make test` set everything up by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

MICROPYTHON := tests/micropython/node_modules/.package-lock.json
# Without npm the tests of the firmware on a real MicroPython are skipped, and say what is missing.
NPM := $(shell command -v npm)

.PHONY: menu run test rules docs firmware clean
menu:
	@echo "make run    start the companion: embedded broker, virtual table, no hardware needed"
	@echo "make test   ruff, mypy, import-linter and every test"
	@echo "make rules  list the rules marked sure that no test names"
	@echo "make docs   draw the pictures of docs/ anew, and the tables of docs/building"
	@echo "make firmware PORT=/dev/serial/by-id/... REALM=valley   copy a node's firmware to a Raspberry Pi Pico"
	@echo "make clean  remove the virtual environment"

$(VENV)/base: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed and $(PYTHON) is older: apt install python3, or make PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "Python's venv module is missing: apt install python3-venv" >&2; exit 2; }
	@[ -x $(BIN)/python ] || $(PYTHON) -m venv $(VENV)
	@echo "Setting up $(VENV) (once, a minute or two) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@# Without its own dependencies, RPi.GPIO and spidev: they only build on a Pi (extra `pi`); the virtual
	@# table puts simulated chips in their place.
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps mfrc522==0.0.7
	@touch $@

$(VENV)/dev: $(VENV)/base
	@$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

run: $(VENV)/base
	@$(BIN)/companion

$(MICROPYTHON): tests/micropython/package-lock.json
	@cd tests/micropython && npm ci --silent --no-audit --no-fund && touch $(notdir $(@D))/$(@F) || \
	  echo "npm could not get MicroPython: the tests of the firmware on it are skipped" >&2

test: $(VENV)/dev $(if $(NPM),$(MICROPYTHON))
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest

rules: $(VENV)/dev
	@$(BIN)/python -m tests.rule_ids

# Only the pictures that a page shows are kept.
docs: $(VENV)/base
	@drawn=$$(mktemp -d) && trap 'rm -r "$$drawn"' EXIT && \
	  $(BIN)/companion shots --out "$$drawn" --size 1280x800 >/dev/null && \
	  for picture in docs/pictures/*-1280x800.png; do cp "$$drawn/$${picture##*/}" "$$picture"; done
	@$(BIN)/python -m hardware.boards.pages

PORT ?=
REALM ?= valley
firmware: $(VENV)/base
	@$(BIN)/python -c 'import mpremote' 2>/dev/null || \
	  $(BIN)/pip install --quiet --disable-pip-version-check --editable '.[firmware]'
	@$(BIN)/python -m hardware.firmware.install --port "$(PORT)" --realm "$(REALM)"

clean:
	rm -rf $(VENV) tests/micropython/node_modules
