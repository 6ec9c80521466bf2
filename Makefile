# kartlua. `make help` lists what can be made.
#
# Everything is built into build/$(config)/. The default is the release configuration, for the tests
# too: what is tested is what gets installed. `make test config=sanitize` tests with every check on.

config       ?= release
build        ?= build/$(config)
PREFIX       ?= /usr/local
FUZZ_SECONDS ?= 60

SHELL       := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all

# ---- How C is compiled. CPPFLAGS, CFLAGS and LDFLAGS are the user's and come last. ----

flags := -std=c17 -Isrc
flags += -fPIC                   # one set of objects serves the program and the module
flags += -fvisibility=hidden     # calls inside the library stay direct
flags += -ffp-contract=off       # no fused multiply-add: every build writes the same bytes
flags += -pthread                # threads of os.h
flags += -MMD -MP                # write down which headers a file depends on
flags += -Wall -Wextra -Wpedantic -Werror=implicit-function-declaration
flags += -Wshadow                # a name that hides another one
flags += -Wconversion            # a number that changes by being stored
flags += -Wdouble-promotion      # a float that silently becomes a double
flags += -Wcast-qual             # a cast that drops const
flags += -Wwrite-strings         # string literals are const
flags += -Wformat=2              # a format that doesn't fit or isn't a literal
flags += -Wundef                 # an undefined name in #if
flags += -Wvla                   # an array of variable length: the stack has an end
flags += -Wimplicit-fallthrough  # a case that runs into the next without saying so
flags += -Wstrict-prototypes     # f() where f(void) is meant
flags += -Wmissing-prototypes    # a function that should be static or stand in a header

sanitizers := -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all

ifeq ($(config),release)
flags += -O2 -g -DNDEBUG
else ifeq ($(config),debug)
flags += -O0 -g3
else ifeq ($(config),sanitize)
flags += -O1 -g -fno-omit-frame-pointer $(sanitizers)
link  := $(sanitizers)
else ifeq ($(config),fuzz)
CC    := clang
flags += -O1 -g -fno-omit-frame-pointer $(sanitizers) -fsanitize=fuzzer-no-link
link  := $(sanitizers)
else ifeq ($(config),coverage)
flags += -O0 -g --coverage
link  := --coverage
else
$(error config is one of release, debug, sanitize, fuzz, coverage)
endif
link += -pthread
# In CI a warning is an error. Not under the sanitizers, where gcc sees conversions that aren't there.
ifneq ($(WERROR)$(CI),)
flags += $(if $(filter release debug,$(config)),-Werror)
endif

# Asked only when something is compiled or linked, so that `make deps` can come first. Where the
# packages have other names: make LUA=lua LFS_LIB=path/to/lfs.a
LUA        ?= lua5.4
LUA_CFLAGS  = $(shell pkg-config --cflags $(LUA))
LUA_LIBS    = $(shell pkg-config --libs $(LUA))
LFS_LIB    ?= -l:lib$(LUA)-filesystem.a
EDIT_CFLAGS = $(shell pkg-config --cflags libedit)
EDIT_LIBS   = $(shell pkg-config --libs libedit)

# ---- What is built ----

system  := posix
formats := $(wildcard $(addsuffix /*.c,$(addprefix src/,kmp kcl agp szs course)))
library := $(filter-out src/core/os_%,$(wildcard src/core/*.c)) src/core/os_$(system).c $(formats)
binding := $(wildcard src/bind/*.c)
host    := $(wildcard src/host/*.c)
tests   := $(wildcard spec/c/*.c)
alloc   := $(wildcard spec/bind/*.c)
fuzzers := $(notdir $(basename $(wildcard spec/fuzz/*.c)))
benches := $(notdir $(basename $(wildcard spec/bench/*.c)))
objects  = $(addprefix $(build)/obj/,$(1:.c=.o))

core    := $(build)/libkart.a
program := $(build)/kartlua
module  := $(build)/lib/kartlua/native.so

all: $(core) $(program) $(module) ## the library, the program, and the module for any Lua 5.4
	@:

q   = $(if $(V),,@)
say = @printf '  %-4s %s\n'

$(core): $(call objects,$(library))
	$(say) AR $@
	$(q)rm -f $@; $(AR) rcs $@ $^

$(program): $(call objects,$(host) $(binding)) $(core)
	$(say) LINK $@
	$(q)$(CC) $(link) $(LDFLAGS) -o $@ $^ $(LFS_LIB) $(LUA_LIBS) $(EDIT_LIBS) -lm

$(module): $(call objects,$(binding)) $(core)
	$(say) LINK $@
	$(q)mkdir -p $(@D); $(CC) -shared $(link) $(LDFLAGS) -o $@ $^ -lm

$(build)/test_core: $(call objects,$(tests)) $(core)
	$(say) LINK $@
	$(q)$(CC) $(link) $(LDFLAGS) -o $@ $^ -lm

$(build)/test_bind: $(call objects,$(alloc) $(binding)) $(core)
	$(say) LINK $@
	$(q)$(CC) $(link) $(LDFLAGS) -o $@ $^ $(LUA_LIBS) -lm

$(build)/fuzz_%: $(build)/obj/spec/fuzz/%.o $(core)
	$(say) LINK $@
	$(q)$(CC) $(link) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ -lm

$(build)/bench_%: $(build)/obj/spec/bench/%.o $(core)
	$(say) LINK $@
	$(q)$(CC) $(link) $(LDFLAGS) -o $@ $^ $(yardstick) -lm

# Embree, to compare with where it is installed.
$(build)/bench_tree: yardstick = $(if $(wildcard /usr/include/embree3/rtcore.h),-lembree3)

$(build)/obj/%.o: %.c Makefile
	$(say) CC $<
	$(q)mkdir -p $(@D); $(CC) $(flags) $(extra) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# Their loops are short. No pairs made of single numbers: to load at once what the caller has just
# stored one by one takes as long as half of a short query.
$(build)/obj/src/core/tree_%: extra = $(if $(filter release,$(config)),-O3 -fno-tree-slp-vectorize)
$(build)/obj/src/bind/%: extra = $(LUA_CFLAGS)
$(build)/obj/spec/bind/%: extra = $(LUA_CFLAGS)
$(build)/obj/src/host/%: extra = $(LUA_CFLAGS) $(EDIT_CFLAGS)
$(build)/obj/src/bind/bind.o: extra = $(LUA_CFLAGS) -fvisibility=default # shows the module's entry

-include $(shell find $(build)/obj -name '*.d' 2>/dev/null)

build-tests: samples $(build)/test_core $(build)/test_bind
	@:
build-benches: samples $(benches:%=$(build)/bench_%)
	@:
build-fuzzers: $(fuzzers:%=$(build)/fuzz_%)
	@:

# ---- What it needs: Debian's packages by name, installed only where one is missing ----

packages        := libc6-dev pkg-config liblua5.4-dev lua-filesystem-dev libedit-dev
packages_test   := lua-busted
packages_checks := lua-check clang clang-format clang-tidy libclang-rt-dev

set_up = \
	command -v apt-get >/dev/null || { echo "kartlua needs what Debian calls: $(1)"; exit 0; }; \
	has() { dpkg-query -W -f '$${db:Status-Status}\n' "$$1" 2>/dev/null | grep -qx installed; }; \
	missing=$$(for p in $(1); do has "$$p" || echo "$$p"; done); \
	[ -n "$$missing" ] || exit 0; \
	echo "kartlua needs:" $$missing; \
	root=; [ "$$(id -u)" = 0 ] || root=sudo; \
	$$root apt-get update -q; \
	$$root env DEBIAN_FRONTEND=noninteractive apt-get install -yq --no-install-recommends $$missing

deps: ## install what the program needs
	@$(call set_up,$(packages))
deps-test: ## ... and the tests
	@$(call set_up,$(packages) $(packages_test))
deps-checks: ## ... and lint and fuzz
	@$(call set_up,$(packages) $(packages_test) $(packages_checks))

# What follows a set-up: a make of its own, on all processors.
then = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$$(getconf _NPROCESSORS_ONLN))

# ---- Trying and testing ----

samples := build/samples

demo: deps ## set up, build, mirror a sample course, show what changed
	+@$(then) samples
	@echo; $(program) mirror -o $(samples)/race.mirror.kmp $(samples)/race.kmp
	@echo; $(program) samples/compare.lua $(samples)/race.kmp $(samples)/race.mirror.kmp
	@echo; echo "Both driven for three laps, as the game counts them:"
	@$(program) laps $(samples)/race.kmp $(samples)/race.mirror.kmp | grep -E '^[^ ]|laps:'

samples: all ## generate the sample courses into build/samples
	@$(program) samples/make.lua $(samples) >/dev/null

test: deps-test ## set up, build, run every test
	+@$(then) build-tests
	@$(call run_tests,$(build)/test_core,$(build)/test_bind,$(program) spec/run.lua)

# All run, whatever the others say, the last one beside the others. One that ends badly and counts no
# failure, a crash, is one.
run_tests = \
	for run in "$(1)" "$(2)"; do $$run 2>&1 || echo "exit code $$?"; done >$(build)/test-1.log & \
	{ $(3) 2>&1 || echo "exit code $$?"; } | tee $(build)/test-2.log; wait; cat $(build)/test-1.log; \
	awk '/^[0-9]+ passed, [0-9]+ failed/ { passed += $$1; failed += $$3; skipped += $$5; counted = $$3 } \
	     /^exit code / { failed += !counted; counted = 0 } \
	     END { printf "\n%d passed, %d failed", passed, failed; \
	           if (skipped) printf ", %d skipped", skipped; \
	           print ""; exit failed > 0 }' $(build)/test-1.log $(build)/test-2.log

gc-test: deps-test ## the specs under a garbage collector that never rests
	+@$(then) all
	@# On our own samples: real files would add time, but no other calls.
	@$(call run_tests,$(call gc_specs,1/2),true,$(call gc_specs,2/2))
gc_specs = env KARTLUA_GC=stress KARTLUA_CORPUS=none KARTLUA_PART=$(1) $(program) spec/run.lua

coverage: ## the share of each C file's lines that the tests reach
	-@$(MAKE) --no-print-directory config=coverage test
	@gcov -n $$(find build/coverage/obj/src -name '*.gcda') | \
	 awk -F"'" '/^File .src/ { file = $$2; getline; print file ": " $$0 }'

bench: deps ## how fast, beside yardsticks if WKMPT=, KINOKO= and WKCLT=path name them
	+@$(then) build-benches
	@$(program) spec/bench/run.lua $(build)

fuzz: deps-checks ## every fuzzer for FUZZ_SECONDS=60, under the sanitizers
	+@$(then) samples
	+@$(then) config=fuzz build-fuzzers
	@$(MAKE) --no-print-directory -k config=fuzz $(fuzzers:%=fuzz-%)

# spec/fuzz/NAME.c, its dictionary NAME.dict and the inputs kept in NAME/. A crasher is written to
# build/fuzz/NAME-*; it is kept by moving it to spec/fuzz/NAME/ under a speaking name.
fuzz-%:
	@mkdir -p $(build)/inputs/$*
	$(build)/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -timeout=5 -verbosity=0 -print_final_stats=1 \
	  $(patsubst %,-dict=%,$(wildcard spec/fuzz/$*.dict)) -artifact_prefix=$(build)/$*- \
	  $(build)/inputs/$* $(wildcard spec/fuzz/$*/ $(samples)/)

# ---- Lint ----

c_files   := $(wildcard src/*/*.[ch] spec/c/*.[ch] spec/bind/*.[ch] spec/fuzz/*.[ch] spec/bench/*.[ch])
c_headers := assert|ctype|errno|float|inttypes|limits|math|setjmp|signal|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|time

lint: deps-checks ## style, static analysis, who may include what, stubs
	+@$(then) all
	+@$(then) -k -Otarget lint-lua lint-format lint-includes lint-stubs lint-tidy

lint-lua:
	@luacheck --quiet --codes lua scripts samples spec
lint-format:
	@clang-format --dry-run -Werror $(c_files)
lint-stubs:
	@$(program) spec/run.lua spec/meta

# The library knows no Lua and no system but in os_*.c, and the formats don't know each other.
lint-includes:
	@only() { [ ! -d src/$$1 ] || ! grep -nH '#include' src/$$1/*.[ch] | \
	          grep -vE "^src/core/os_|<($(c_headers))\.h>|\"($$2)/"; }; \
	 bad=; only core 'core' || bad=1; \
	 for format in kmp kcl agp szs; do only $$format "core|$$format" || bad=1; done; \
	 only course 'core|kmp|kcl|agp|szs|course' || bad=1; \
	 [ -z "$$bad" ] || { echo "lint: these may not be included there"; exit 1; }

lint-tidy: $(patsubst %.c,$(build)/tidy/%,$(filter src/%.c,$(c_files)))
$(build)/tidy/%: %.c .clang-tidy Makefile $(filter %.h,$(c_files))
	$(say) TIDY $<
	$(q)mkdir -p $(@D); clang-tidy --quiet $< -- -std=c17 -Isrc $(LUA_CFLAGS) $(EDIT_CFLAGS) 2>/dev/null
	$(q)touch $@

# ---- Installing ----

share := $(DESTDIR)$(PREFIX)/share/kartlua
doc   := $(DESTDIR)$(PREFIX)/share/doc/kartlua

# $(call copy,FOLDER,FOLDER): what is in the first one, with its folders.
copy = mkdir -p $(2) && cp -R $(1)/. $(2) && chmod -R u=rwX,go=rX $(2)

install: all ## the program with its library and recipes (PREFIX=/usr/local DESTDIR=)
	@mkdir -p $(DESTDIR)$(PREFIX)/bin $(doc)
	install -m 755 $(program) $(DESTDIR)$(PREFIX)/bin/kartlua
	@$(call copy,lua,$(share)/lua)
	@$(call copy,scripts,$(share)/scripts)
	@$(call copy,docs,$(doc)/docs)
	@rm -f $(doc)/docs/make*.lua
	install -m 644 README.md CHANGELOG.md LICENSE $(doc)

install-module: all ## the module, for any Lua 5.4: require "kartlua"
	@mkdir -p $(DESTDIR)$(PREFIX)/lib/lua/5.4/kartlua
	install -m 755 $(module) $(DESTDIR)$(PREFIX)/lib/lua/5.4/kartlua/native.so
	@$(call copy,lua/kartlua,$(DESTDIR)$(PREFIX)/share/lua/5.4/kartlua)

uninstall: ## what these two have installed
	rm -rf $(DESTDIR)$(PREFIX)/bin/kartlua $(share) $(doc) \
	  $(DESTDIR)$(PREFIX)/lib/lua/5.4/kartlua $(DESTDIR)$(PREFIX)/share/lua/5.4/kartlua

clean: ## remove everything that was built
	rm -rf build

help: ## this
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/\1\t\2/p' Makefile | expand -t 16
	@echo; echo "config=release|debug|sanitize|fuzz|coverage  WERROR=1  V=1 (show commands)"

.PHONY: all build-tests build-benches build-fuzzers deps deps-test deps-checks demo samples test \
        gc-test coverage bench fuzz lint lint-lua lint-format lint-stubs lint-includes lint-tidy \
        install install-module uninstall clean help
