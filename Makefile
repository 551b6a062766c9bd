PYTHON ?= python3
BIN := .venv/bin
# Compiled files are kept: without them every worker and every process of the tests compiles all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup browser postgres demo docs test test-campaigns test-long test-page check check-page evaluate bench fit figures golden mutants tutorials tutorials-check attack dist test-dist test-dist-fast clean

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

setup: .venv/ready

# What users get, and nothing else. It is compiled as it is used, which takes a third of the time less.
.venv/core-ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "actalike needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(INSTALL) --no-compile -e .
	touch $@

# All extras, and what developers need, into the same environment. The pip that comes with Python may be too old for groups.
.venv/ready: .venv/core-ready
	$(INSTALL) --upgrade pip
	$(INSTALL) -e '.[all]' --group dev
	touch $@

browser: ## headless Chromium, for the tests of the report's page; without it they skip, and in CI they fail
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do command -v $$name && exit; done >/dev/null || \
	{ [ "$$(id -u)" = 0 ] && as= || as="sudo -n"; install="$$as apt-get install -y --no-install-recommends chromium"; \
	  echo "Installing Chromium: $$install"; { $$install || { $$as apt-get update && $$install; }; } >/dev/null 2>&1; } || \
	echo "No Chromium could be installed: the tests of the report's page skip (in CI they fail)."

postgres: ## a PostgreSQL server's programs, for the tests of databases; without them they skip, and in CI they fail
	@{ command -v initdb || ls /usr/lib/postgresql/*/bin/initdb; } >/dev/null 2>&1 || \
	{ [ "$$(id -u)" = 0 ] && as= || as="sudo -n"; install="$$as apt-get install -y --no-install-recommends postgresql"; \
	  echo "Installing PostgreSQL: $$install"; { $$install || { $$as apt-get update && $$install; }; } >/dev/null 2>&1; } || \
	echo "No PostgreSQL could be installed: the tests of databases skip (in CI they fail)."

demo: .venv/core-ready ## the main job on the bundled log; installs the core alone
	$(BIN)/actalike demo -o demo-out --overwrite

docs: setup ## the documentation site, into site/; a broken link or any warning fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

WORKERS ?= auto

test: setup browser postgres test-page ## all tests but the campaigns, side by side (WORKERS)
	$(BIN)/python -m pytest -n $(WORKERS)

test-campaigns: setup browser ## the campaigns: tests that kill, attack and overload, for seconds each
	$(BIN)/python -m pytest -n $(WORKERS) -m campaign

test-long: setup browser postgres test-page ## all tests, campaigns too, with ten times as many generated examples; for the night
	ACTALIKE_LONG=1 $(BIN)/python -m pytest -n $(WORKERS) -m ""

check: setup check-page ## lint and types, and the form of the workflows (which the source archive does not have)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@[ ! -d .github ] || $(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml

# Without npm the page's scripts are neither checked nor tested here; in CI that is an error.
NEEDS_NPM = if ! command -v npm >/dev/null; then echo "npm is not installed: the page's scripts are not $(1)."; [ -z "$$CI" ]; else

node_modules/ready: package.json package-lock.json
	npm install --no-save --no-audit --no-fund --loglevel=error
	touch $@

check-page: ## lint, format and types of the page's scripts
	@$(call NEEDS_NPM,checked) $(MAKE) --no-print-directory node_modules/ready && node_modules/.bin/biome check --error-on-warnings && node_modules/.bin/tsc; fi

test-page: ## unit tests of the page's scripts; and what the tests in a browser need
	@$(call NEEDS_NPM,tested) $(MAKE) --no-print-directory node_modules/ready && node --test tests/report/page/*/*.test.js; fi

evaluate: setup ## the product's benchmarks, hours; goes on where it was stopped; needs a folder of real logs (ACTALIKE_LOGS), and stores its tables with this version
	$(BIN)/python measurements/evaluate.py

bench: setup ## speed and memory, as ratios; eight minutes, on an idle machine with a folder of real logs (ACTALIKE_LOGS)
	$(BIN)/python measurements/bench.py

fit: setup ## fit the weights of same_step and of match to the real logs (ACTALIKE_LOGS), and write them into the package; ten minutes
	$(BIN)/python measurements/fit_same_step.py --write
	$(BIN)/python measurements/fit_matching.py --write

figures: setup ## write the stored tables (docs/results) into README and docs
	$(BIN)/python measurements/results.py

golden: setup ## compare what is answered for real logs (ACTALIKE_LOGS) with the stored answers; two minutes on two idle cores
	$(BIN)/python measurements/golden.py

mutants: setup ## plant 100 seeded faults in a copy of the core and count those that tests or golden outputs notice; hours, resumable
	$(BIN)/python measurements/mutants.py

tutorials: setup ## run the notebooks of docs/tutorials and store what they show
	$(BIN)/python docs/tutorials/run.py

tutorials-check: setup ## run the notebooks; fail if one shows something else than is stored
	$(BIN)/python docs/tutorials/run.py --check

attack: setup browser ## attack every input and output for ATTACK_SECONDS (1800), repeatable by ATTACK_SEED (0); what is wrong fails
	$(BIN)/python -m tests.attacks

dist: setup ## the wheel and the source archive of the commit, into dist/: the same bytes each time, and checked
	$(BIN)/python release/build.py

test-dist: setup ## the wheel in clean environments: every Python that is here, each extra, the newest and the lowest versions; sizes
	$(BIN)/python release/try_installs.py all
	$(BIN)/python release/try_installs.py sizes

test-dist-fast: setup ## the wheel in one clean environment, core only
	$(BIN)/python release/try_installs.py fast

clean:
	rm -rf .venv node_modules demo-out build dist site src/*.egg-info
