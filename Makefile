# batchutils: small programs for jobs on Slurm clusters. GNU make 3.81 or later.
# CC CFLAGS CPPFLAGS LDFLAGS PREFIX DESTDIR BIN are yours to set.
VERSION = 0.1.0
PREFIX = /usr/local
CFLAGS = -O2 -g -Wall -Wextra
BIN = bin

TOOLS = $(patsubst src/%.c,%,$(wildcard src/*.c))
OBJ = $(patsubst lib/%.c,$(BIN)/.lib/%.o,$(wildcard lib/*.c))
COMPILE = $(CC) -std=c99 $(CPPFLAGS) $(CFLAGS) -Ilib -DVERSION='"$(VERSION)"'

all: $(TOOLS:%=$(BIN)/%) share/man/whatis

# the one rule that makes every tool
$(BIN)/%: src/%.c $(BIN)/.lib/lib.a
	$(COMPILE) $(LDFLAGS) -o $@ $< $(BIN)/.lib/lib.a -lm

$(BIN)/.lib/lib.a: $(OBJ)
	rm -f $@
	$(AR) rc $@ $(OBJ)

$(BIN)/.lib/%.o: lib/%.c $(wildcard lib/*.h) Makefile
	@mkdir -p $(BIN)/.lib
	$(COMPILE) -c -o $@ $<

# what man -k reads where no database was made: PATH=$PWD/bin:$PATH man -k gpu
share/man/whatis: $(wildcard share/man/man1/*.1)
	awk '/^\.Nm / { name = $$2 } /^\.Nd / { print name " (1) - " substr($$0, 5) }' $^ >$@.new && mv $@.new $@

# each tool as one C file: cc -o TOOL TOOL.c -lm
one: $(TOOLS:%=bin/one/%.c)

bin/one/%.c: src/%.c $(wildcard lib/*) Makefile
	@mkdir -p bin/one
	awk -v version=$(VERSION) -f lib/one.awk $< >$@.new && mv $@.new $@

# bin/static: binaries that need nothing of the machine they run on; CC is musl's (Debian: musl-tools)
static:
	$(MAKE) BIN=bin/static CC=musl-gcc CFLAGS='-Os -ffunction-sections -fdata-sections' LDFLAGS='-static -s -Wl,--gc-sections' all

# batchutils-VERSION.tar.gz: what is committed, to be built without git
dist:
	git archive --prefix=batchutils-$(VERSION)/ -o batchutils-$(VERSION).tar.gz HEAD

test:
	$(MAKE) -j$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) all
	t/run t

test-slurm: all
	t/run-slurm

check:
	t/check

# every parser with made-up input for T seconds in all (clang)
T = 60
fuzz:
	t/fuzz/run -t $(T)

demo: all
	share/examples/demo.sh

bench: all
	t/bench/run

install: all
	t/install "$(BIN)" "$(DESTDIR)$(PREFIX)"

uninstall:
	t/install -u "$(BIN)" "$(DESTDIR)$(PREFIX)"

clean:
	rm -rf bin/.lib bin/one bin/static share/man/whatis $(TOOLS:%=bin/%)

.PHONY: all one static dist test test-slurm check fuzz demo bench install uninstall clean
.DELETE_ON_ERROR:
