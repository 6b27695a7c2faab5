# checkpost: everything a developer or a newcomer runs.
#
#   make demo    the whole story on this machine, from nothing to a table of what arrived
#   make test    every test, with its set-up; FILTER=Name for those of that name alone
#
# Both install the system packages they need when these are missing (Debian, Ubuntu: apt-get, with
# sudo when not root), build what they need, and say what they are doing.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup setup-test build build-tests release install uninstall deb demo test interop graph lint \
  golden bench simulate faults prove prove-central prove-api prove-address prove-thread prove-mutants prove-package clean

# Hashed collections iterate alike in every run, so that a failing seed fails again; and SwiftPM
# writes its build plan the same way twice, so that nothing is built again for no reason.
export SWIFT_DETERMINISTIC_HASHING := 1

PACKAGES := libcurl4-openssl-dev libserialport-dev libsqlite3-dev pkg-config
TEST_PACKAGES := $(PACKAGES) gammu gammu-smsd smstools umockdev udev \
  modemmanager dbus polkitd systemd postgresql python3 python3-venv curl openssl \
  libjpeg-turbo-progs iproute2
# Debian starts these at once and at each start of the machine, at the port that everybody knows. They are
# unpacked for the tests, and not installed.
PROXY_PACKAGES := caddy nginx
PACKAGE_PACKAGES := $(PACKAGES) binutils dpkg xz-utils
PROVE_PACKAGES := $(PACKAGE_PACKAGES) debootstrap lintian systemd-container
SWIFT := swift
# The index is a tenth of a build, and stays: SwiftPM finds the tests in it, and a build with other flags
# would build everything again.
BUILD_FLAGS := --explicit-target-dependency-import-check error
# Swift's own libraries are linked in: a checkpost has no Swift. Nobody looks for names in the program, so
# that it has no table of them; and where the C library reads the short form of relocations (from 2.36 on),
# it has them in that.
RELEASE := $(SWIFT) build --configuration release --static-swift-stdlib -Xswiftc -use-ld=lld \
  -Xlinker --no-export-dynamic $(shell getconf GNU_LIBC_VERSION 2>/dev/null | \
  awk '{ split($$2, v, "."); if (v[1] > 2 || v[2] >= 36) print "-Xlinker -z -Xlinker pack-relative-relocs" }')
DEBUG_BINARY = $$($(SWIFT) build --show-bin-path)/checkpost

# Says in one line what is being done.
say = printf '\n== %s\n' "$(1)"

help: ## Show what there is to make.
	@echo "checkpost: make TARGET, with one of"
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 16

# $(call install,packages): installs those that are missing.
define install
	missing=(); \
	for package in $(1); do \
	  status=$$(dpkg-query --show --showformat '$${Status}' "$$package" 2>/dev/null || true); \
	  [[ "$$status" == "install ok installed" ]] || missing+=("$$package"); \
	done; \
	if [[ $${#missing[@]} -gt 0 ]]; then \
	  $(call say,Installing $${missing[*]}); \
	  if ! command -v apt-get >/dev/null; then \
	    echo "checkpost: there is no apt-get here; install these by hand, then try again: $${missing[*]}" >&2; \
	    exit 69; \
	  fi; \
	  root=(); \
	  if [[ $$(id -u) -ne 0 ]]; then \
	    if ! command -v sudo >/dev/null; then \
	      echo "checkpost: installing needs root; run as root: apt-get install $${missing[*]}" >&2; \
	      exit 77; \
	    fi; \
	    root=(sudo); \
	  fi; \
	  "$${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq; \
	  "$${root[@]}" env DEBIAN_FRONTEND=noninteractive \
	    apt-get install -y -qq --no-install-recommends "$${missing[@]}"; \
	fi
endef

setup: ## Install what building needs, when it is missing.
	@if ! command -v $(SWIFT) >/dev/null; then \
	  echo "checkpost: there is no swift on PATH; install Swift 6.2 or newer (https://www.swift.org/install/linux/), or add its usr/bin to PATH" >&2; \
	  exit 69; \
	fi
	@$(call install,$(PACKAGES))

setup-test: setup ## Install what the tests need beyond that: gammu, smstools, ModemManager, umockdev.
	@$(call install,$(TEST_PACKAGES))
	@for package in $(PROXY_PACKAGES); do \
	  if PATH="$$PATH:/usr/sbin:.build/proxies/usr/bin:.build/proxies/usr/sbin" command -v "$$package" \
	    >/dev/null; then continue; fi; \
	  $(call say,Unpacking $$package); \
	  mkdir -p .build/proxies; \
	  (cd .build/proxies && { apt-get download -qq "$$package" || \
	    { $$([[ $$(id -u) -eq 0 ]] || echo sudo) apt-get update -qq && apt-get download -qq "$$package"; }; } && \
	    dpkg-deb --extract "$$package"_*.deb . && rm "$$package"_*.deb); \
	done

build: setup ## Build the program for development.
	@$(call say,Building checkpost)
	@$(SWIFT) build --product checkpost

release: setup ## Build the program for a checkpost.
	@$(call say,Building checkpost for release)
	@$(RELEASE) --product checkpost
	@folder=$$($(RELEASE) --show-bin-path); \
	"$$folder/checkpost" --version --verbose --json > "$$folder/checkpost.cdx.json"; \
	echo "built: $$folder/checkpost"; \
	echo "what is in it: $$folder/checkpost.cdx.json, a bill of materials (CycloneDX)"

# What is built is installed, and nothing is built as root: make release first. PREFIX says where, DESTDIR
# below what.
install: ## Install what make release built, with its units, rule, manual and completions.
	@packaging/install.sh .build/release/checkpost

uninstall: ## Remove what make install installed; settings and data stay.
	@packaging/install.sh --uninstall .build/release/checkpost

deb: release ## Make a Debian package for this kind of machine.
	@$(call install,$(PACKAGE_PACKAGES))
	@$(call say,Making the package)
	@package=$$(packaging/debian/deb.sh "$$($(RELEASE) --show-bin-path)/checkpost" .build); \
	echo "made: $$package"; \
	echo "install it: sudo apt-get install ./$$package"

demo: build ## Show the whole story: passages, texts, rows.
	@$(call say,Running checkpost demo)
	@"$(DEBUG_BINARY)" demo

build-tests: setup-test
	@$(call say,Building the tests)
	@$(SWIFT) build --build-tests $(BUILD_FLAGS)

# Only as an argument: what the environment has under such a name is not meant.
ifeq ($(origin FILTER),command line)
test: build-tests
	@$(call say,Running the tests of $(FILTER))
	@$(SWIFT) test --skip-build --filter '$(FILTER)'
else
test: build-tests ## Run every test, or those of FILTER=Name alone.
	@$(call say,Running every test; SEEDS=N for more or fewer simulated days than 200)
	@SEEDS=$(or $(SEEDS),200) AGAIN=$(AGAIN) bash Tests/run.sh
	@$(call say,Every test passed)
endif

# Each script checks us against programs that are not ours: those that drive the simulated modem,
# udev, which applies the rules, systemd, which reads the units, and PostgreSQL, which keeps the passages.
interop: build-tests
	@bash Tests/run.sh scripts

graph: ## Print what each target imports of ours.
	@bash Tests/Imports/graph.sh

lint: setup ## Check format, imports and scripts.
	@$(call say,Checking the format)
	@$(SWIFT) format lint --strict --recursive --parallel Sources Tests Package.swift
	@$(call say,Checking the scripts)
	@for script in .ci/run $$(find Tests packaging -name '*.sh' -not -path '*/.build/*'); do bash -n "$$script"; done
	@$(call say,Checking the imports)
	@bash Tests/Imports/graph.sh >/dev/null
	@$(SWIFT) build $(BUILD_FLAGS)

golden: build-tests ## Compare all that users and other programs see with what is recorded; WRITE=1 records it anew.
	@python3 Tests/Golden/golden.py "$$($(SWIFT) build --show-bin-path)/checkpost" $(if $(WRITE),--write)

bench: release ## Measure speed and size, each figure beside its floor.
	@$(call say,Building the benchmarks)
	@$(RELEASE) --product Benchmarks
	@"$$($(RELEASE) --show-bin-path)/Benchmarks"
	@if ls -d /usr/lib/postgresql/*/bin >/dev/null 2>&1; then \
	  $(call say,Inserting into the deployed table beside its own trigger and none); \
	  bash Tests/PostgreSQL/inserts.sh "$$($(RELEASE) --show-bin-path)/checkpost"; \
	fi

# Built for release, as a day takes a third of the time then. CHECKPOST_TEST_SEED names one day.
simulate: setup ## Live 2,000 simulated days, each with its own faults; SEEDS=N for another number.
	@$(call say,Building the simulation)
	@$(RELEASE) --product Simulations
	@$(call say,Simulating $(if $(CHECKPOST_TEST_SEED),the day of seed $(CHECKPOST_TEST_SEED),$(DAYS) days))
	@CHECKPOST_TEST_SEEDS=$(DAYS) "$$($(RELEASE) --show-bin-path)/Simulations"

DAYS := $(or $(SEEDS),2000)

faults: release ## Let modems fail in real time, each recovery beside the best of other programs.
	@$(call say,Letting modems fail: about ten minutes)
	@bash Tests/Faults/run.sh "$$($(RELEASE) --show-bin-path)/checkpost"

prove: build-tests ## Run the long campaigns: seeds, faults on purpose, sanitizers, fuzzers. SEEDS=N sets how many.
	@$(MAKE) --no-print-directory simulate SEEDS=$(or $(SEEDS),20000)
	@$(MAKE) --no-print-directory prove-mutants prove-central prove-api prove-address prove-thread
	@if [[ -x Tests/Fuzzing/run ]]; then $(call say,Fuzzing); Tests/Fuzzing/run; fi
	@$(MAKE) --no-print-directory prove-package

# Left out: TidyTests read the sources and run nothing; SimulationTests have had their seeds, and take
# a multiple of the time here; CommandTests start the program as processes of their own, whose reports
# nobody reads. Leaks are not looked for: what Swift's runtime makes once and keeps would count as such.
SANITIZED_SKIP := 'TidyTests|SimulationTests|CommandTests'

prove-address: setup-test ## Run the tests under the address sanitizer.
	@$(call say,Testing under the address sanitizer)
	@ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --sanitize address --scratch-path .build-asan \
	  --skip $(SANITIZED_SKIP)

# Only where there is more than one thread. A lock that is waited for is handed over where the sanitizer
# cannot see it, see Tests/Sanitizers/MutexNotes.c. It is loaded when all is built: the compiler has
# nothing to tell.
THREADED := 'EventLoopTests|SerialPortsTests|ModemDriverTests|SQLiteFileTests|NodeSQLiteTests|CentralStoreTests|NodeServiceTests|CentralServiceTests|HTTPServerTests|ServerHTTPTests|LogTests|ControlTests'

prove-thread: setup-test ## Run the tests with threads under the thread sanitizer.
	@$(call say,Testing under the thread sanitizer)
	@$(SWIFT) build --build-tests --sanitize thread --scratch-path .build-tsan
	@compiler=$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/clang; \
	  "$$compiler" -O2 -Wall -Wextra -Werror -fPIC -shared -o .build-tsan/mutex-notes.so \
	    Tests/Sanitizers/MutexNotes.c
	@LD_PRELOAD="$$PWD/.build-tsan/mutex-notes.so" $(SWIFT) test --skip-build --sanitize thread \
	  --scratch-path .build-tsan --filter $(THREADED)

# Days are lived with one fault after the other until one of them fails that does not without.
# CHECKPOST_TEST_MUTANT names one that is hunted alone, CHECKPOST_TEST_SEED its day, and with
# CHECKPOST_TEST_TRACE all that happens on it is told.
HUNT := $(RELEASE) --scratch-path .build-mutants -Xswiftc -DCHECKPOST_MUTANTS

prove-mutants: setup ## Build faults in on purpose, one after the other: a simulated day has to catch each.
	@$(call say,Building the simulation with faults in it)
	@$(HUNT) --product Simulations
	@$(call say,Hunting $(or $(CHECKPOST_TEST_MUTANT),the faults that are built in on purpose))
	@"$$($(HUNT) --show-bin-path)/Simulations"

# What `make test` does with some hundred passages is done with thousands here, on SQLite and on PostgreSQL: stories over
# several connections, inserts at both ends at once, a database in use that is migrated, centrals that are killed.
prove-central: build-tests ## Hold central to its model with thousands of passages, and kill it under load.
	@$(call say,Telling 20 stories of 6000 passages each over several connections)
	@CHECKPOST_TEST_PASSAGES=6000 CHECKPOST_TEST_SEEDS=20 $(SWIFT) test --skip-build \
	  --filter aStoryOverSeveralConnectionsIsTheWhole
	@CHECKPOST_TEST_TRIPS=3000 $(SWIFT) test --skip-build --filter 'CentralPostgreSQLTests.ConfluenceTests/days'
	@$(call say,Adding texts that nobody proved to 10000 sets of what is proven on each store)
	@CHECKPOST_TEST_SETS=10000 $(SWIFT) test --skip-build --filter 'whateverTextsCome'
	@$(call say,Inserting at both ends at once)
	@CHECKPOST_TEST_PAIRS=3000 $(SWIFT) test --skip-build --filter 'simultaneousOppositeInsertsMissNoPair'
	@$(call say,Migrating a database with 100000 rows)
	@CHECKPOST_TEST_ROWS=140000 $(SWIFT) test --skip-build --filter 'MigrationTests/deployedTablesWithRows'
	@$(call say,Killing centrals under load)
	@bash Tests/PostgreSQL/centrals.sh "$(DEBUG_BINARY)" 120
	@$(call say,Asking centrals with $(MILLIONS) passages all that there is to ask: each has two seconds)
	@bash Tests/PostgreSQL/millions.sh "$(DEBUG_BINARY)" sqlite $(MILLIONS)
	@bash Tests/PostgreSQL/millions.sh "$(DEBUG_BINARY)" postgresql $(MILLIONS)

# 5000000 of them take 10 GB of disk and half an hour, and say something where nothing else runs.
MILLIONS := $(or $(PASSAGES),5000000)

prove-api: build-tests ## Have schemathesis look for faults in the API for ten minutes on each store.
	@$(call say,Asking the API for all that it describes and for what it does not)
	@bash Tests/Interop/schemathesis.sh "$(DEBUG_BINARY)"
	@bash Tests/Interop/schemathesis.sh "$(DEBUG_BINARY)" postgresql

prove-package: release ## Install, upgrade, remove and purge the package in a bare Debian. Needs root.
	@$(call install,$(PROVE_PACKAGES))
	@$(call say,Testing the package in a bare Debian)
	@bash Tests/Packaging/package.sh "$$($(RELEASE) --show-bin-path)/checkpost"

clean: ## Remove what was built.
	@$(SWIFT) package clean
	@rm -rf Tests/Benchmarks/.build Tests/Fuzzing/.build .build-asan .build-tsan .build-mutants
