# Everything a fresh machine needs: Python >= 3.11, make and cargo (Rust >= 1.85; installed where apt-get may). Each target
# makes its own virtual environment.
PYTHON ?= python3
VENV ?= .venv
# Windows has another layout; there, run make in a POSIX shell (Git's will do).
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
VENV_PYTHON := $(BIN)/python$(if $(filter Windows_NT,$(OS)),.exe)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# More than two processors need: tests that wait for a browser, for Ray or for the end of a process need none meanwhile.
WORKERS ?= 4
# A file's tests stay together, so that what they share is made once, and slow files start first: tests/support/slow_files.py.
# Bytecode is kept: without it, each of the many processes that tests start would compile the package again.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder
EXTRAS ?= all,dev
# How long `make fuzz` runs.
SECONDS ?= 60
SEED ?= 0
CARGO ?= cargo
# The oldest Rust that compiles native/: rust-version in native/Cargo.toml.
OLDEST_RUST := 1.85
# The sources of the compiled part: when one changes, it is built and installed again.
NATIVE := native/Cargo.toml native/Cargo.lock $(shell find native/src -name '*.rs')
IN_NATIVE := --manifest-path native/Cargo.toml

.PHONY: demo test test-training test-thorough test-lowest checks check native-check native cargo fuzz golden benchmark screenshots docs \
	release-check clean

demo: $(VENV)/.installed
	$(BIN)/dehusk clean src/dehusk/sample_site --learn --output cleaned --format markdown
	@echo "Cleaned pages are in ./cleaned; here is one of them, explained:"
	$(BIN)/dehusk learn src/dehusk/sample_site --output cleaned/site.dehusk
	$(BIN)/dehusk clean src/dehusk/sample_site/magazine/hard-water-soft-tea.html --model cleaned/site.dehusk --explain

test: checks
	$(PYTEST) $(PYTEST_OPTIONS)

# The tests that train, on a machine that has PyTorch or room for several gigabytes: `make test` skips them without it.
TRAINING_TESTS ?= tests/lab/training tests/webapp/test_page_labels.py
test-training: | cargo
	test -d $(VENV)-training || $(PYTHON) -m venv --system-site-packages $(VENV)-training
	$(subst $(VENV),$(VENV)-training,$(PIP_INSTALL)) --editable '.[$(EXTRAS),train]'
	$(subst $(VENV),$(VENV)-training,$(PYTEST)) $(TRAINING_TESTS) $(PYTEST_OPTIONS)

# All examples, sizes and combinations instead of a spread of them; see CONTRIBUTING.md.
test-thorough: checks
	DEHUSK_TESTS=thorough $(PYTEST) $(PYTEST_OPTIONS)

# The lowest versions of dependencies that pyproject.toml allows, in an environment of their own, and the tests they matter
# for. Old versions call what newer ones of their own dependencies deprecate.
# Adapters, Ray and the tools dehusk is compared with ask for newer versions of each other, and are left out.
LOWEST_EXTRAS ?= parquet,warc,zstd,crawl,mining,crf,metadata,selectors,web,pandas
LOWEST_TESTS ?= tests/page tests/blocks tests/outputs tests/metadata tests/cli
TEST_TOOLS := pytest pytest-xdist hypothesis pyyaml lxml markdown-it-py mdit-py-plugins trafilatura lxml-html-clean
test-lowest: | cargo
	test -d $(VENV)-lowest || $(PYTHON) -m venv $(VENV)-lowest
	$(subst $(VENV),$(VENV)-lowest,$(PIP_INSTALL)) --constraint constraints/lowest.txt --editable '.[$(LOWEST_EXTRAS)]' $(TEST_TOOLS)
	$(subst $(VENV),$(VENV)-lowest,$(PYTEST)) -W ignore::DeprecationWarning $(LOWEST_TESTS) $(PYTEST_OPTIONS)

# The package as users get it, in clean environments; docs/versions.md has the options.
release-check: | cargo
	$(PYTHON) tests/release/check_release.py $(RELEASE_OPTIONS)

# Both at once: mypy keeps one processor busy, and so does cargo much of the time.
checks:
	$(MAKE) --no-print-directory --jobs=2 check native-check

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# rustfmt and clippy come with rustup, and are packages of their own in Debian: rustfmt, rust-clippy.
native-check: | cargo
	@if $(CARGO) fmt --version >/dev/null 2>&1; then echo "cargo fmt --check" && $(CARGO) fmt $(IN_NATIVE) -- --check; \
	else echo "rustfmt is not installed: formatting is not checked"; fi
	@if $(CARGO) clippy --version >/dev/null 2>&1; then echo "cargo clippy" && \
	$(CARGO) clippy --quiet $(IN_NATIVE) --all-targets -- -D warnings; else echo "clippy is not installed: skipped"; fi
	$(CARGO) test --quiet $(IN_NATIVE)

# Builds the compiled part into src/dehusk/_native and leaves the other packages of the environment alone.
native: $(VENV_PYTHON) | cargo
	$(PIP_INSTALL) --no-deps --editable .

# Debian 12 calls its newer Rust cargo-web. Its cargo, of 1.63, is too old.
RUST_IS_NEW_ENOUGH = found=$$($(CARGO) --version 2>/dev/null | cut -d ' ' -f 2) && \
	[ "$$(printf '%s\n' $(OLDEST_RUST) "$$found" | sort -V | head -n 1)" = $(OLDEST_RUST) ]
cargo:
	@$(RUST_IS_NEW_ENOUGH) || { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && \
	echo "installing cargo-web, which builds the compiled part" && apt-get -qq update && \
	DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends cargo-web >/dev/null && \
	$(RUST_IS_NEW_ENOUGH); } || { echo "dehusk has a part written in Rust: install Rust >= $(OLDEST_RUST), from rustup.rs" \
	"or, on Debian 12, by apt-get install cargo-web; found: $$($(CARGO) --version 2>&1)" >&2; exit 1; }

# Inputs that fail are saved in fuzz-findings; see CONTRIBUTING.md.
fuzz: $(VENV)/.installed-dev
	$(BIN)/python tests/fuzz/run_fuzzing.py --seconds $(SECONDS) --seed $(SEED) $(FUZZ_OPTIONS)

# The documentation as a site in build/site, with all warnings as errors and links checked.
docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

golden: $(VENV)/.installed-dev
	$(BIN)/python tests/golden/generate.py

# Needs an installed Chromium.
screenshots: $(VENV)/.installed-dev
	PYTHONPATH=tests/support $(BIN)/python tests/browser/screenshots.py docs/images

benchmark: $(VENV)/.installed-benchmark
	$(BIN)/python benchmarks/compare.py

clean:
	rm -rf $(VENV) $(VENV)-lowest cleaned build dist src/*.egg-info src/dehusk/_native native/target

$(VENV_PYTHON):
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "dehusk needs Python >= 3.11; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV_PYTHON) pyproject.toml $(NATIVE) | cargo
	$(PIP_INSTALL) --editable .
	touch $@

$(VENV)/.installed-dev: $(VENV_PYTHON) pyproject.toml $(NATIVE) | cargo
	$(PIP_INSTALL) --editable '.[$(EXTRAS)]'
	touch $@ $(VENV)/.installed

$(VENV)/.installed-benchmark: $(VENV)/.installed-dev
	$(PIP_INSTALL) --editable '.[eval]'
	$(PIP_INSTALL) --editable '.[eval-more]'
	touch $@

$(VENV)/.installed-docs: $(VENV_PYTHON) pyproject.toml $(NATIVE) | cargo
	$(PIP_INSTALL) --editable '.[docs]'
	touch $@ $(VENV)/.installed
