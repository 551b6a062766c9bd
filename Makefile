PYTHON ?= python3
BIN := .venv/bin
# Compiled files are kept: without them every worker and every process of the tests compiles all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup browser postgres demo docs test test-campaigns test-long test-page check check-page measurements figures tutorials tutorials-check attack dist test-dist test-dist-fast clean

setup: .venv/ready

.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "actalike needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
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

demo: setup ## the main job on the bundled log
	$(BIN)/actalike demo -o demo-out --overwrite

docs: setup ## the documentation site, into site/; a broken link or any warning fails
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

test: setup browser postgres test-page ## all tests but the campaigns
	$(BIN)/python -m pytest -n auto

test-campaigns: setup browser ## the campaigns: tests that kill, attack and overload, for seconds each
	$(BIN)/python -m pytest -n auto -m campaign

test-long: setup browser postgres test-page ## all tests, campaigns too, with ten times as many generated examples; for the night
	ACTALIKE_LONG=1 $(BIN)/python -m pytest -n auto -m ""

check: setup check-page ## lint and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Without npm the page's scripts are neither checked nor tested here; in CI that is an error.
NEEDS_NPM = if ! command -v npm >/dev/null; then echo "npm is not installed: the page's scripts are not $(1)."; [ -z "$$CI" ]; else

node_modules/ready: package.json package-lock.json
	npm install --no-save --no-audit --no-fund --loglevel=error
	touch $@

check-page: ## lint and format of the page's scripts
	@$(call NEEDS_NPM,checked) $(MAKE) --no-print-directory node_modules/ready && node_modules/.bin/biome check --error-on-warnings; fi

test-page: ## unit tests of the page's scripts; and what the tests in a browser need
	@$(call NEEDS_NPM,tested) $(MAKE) --no-print-directory node_modules/ready && node --test tests/report/page/*/*.test.js; fi

measurements: setup postgres ## speed and memory, as ratios, and docs/measurements.md; an hour, on an idle machine with a folder of real logs (ACTALIKE_LOGS)
	$(BIN)/python measurements/page.py run

figures: setup ## write the stored results (docs/results) into the tables of README and docs, and draw their pictures
	$(BIN)/python measurements/page.py
	$(BIN)/python measurements/tables.py
	$(BIN)/python measurements/pictures.py

tutorials: setup ## run the notebooks of docs/tutorials and store what they show
	$(BIN)/python docs/tutorials/run.py

tutorials-check: setup ## run the notebooks; fail if one shows something else than is stored
	$(BIN)/python docs/tutorials/run.py --check

attack: setup browser ## attack every input and output for ATTACK_SECONDS (1800), repeatable by ATTACK_SEED (0); what is wrong fails
	$(BIN)/python measurements/attack.py

dist: setup ## the wheel and the source archive of the commit, into dist/: the same bytes each time, and checked
	$(BIN)/python release/build.py

test-dist: setup ## the wheel in clean environments: every Python that is here, each extra, the newest and the lowest versions; sizes
	$(BIN)/python release/try_installs.py all
	$(BIN)/python release/try_installs.py sizes

test-dist-fast: setup ## the wheel in one clean environment, core only
	$(BIN)/python release/try_installs.py fast

clean:
	rm -rf .venv node_modules demo-out build dist site src/*.egg-info
