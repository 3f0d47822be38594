# one.awk - a tool and the lib pairs it includes as one C file: awk -v version=V -f lib/one.awk src/TOOL.c
#
# Feature macros first, then the system headers once, then the lib headers and sources in the order they need each other,
# the tool last. It works because lib names begin with their file's name, and nothing else is shared.

# Reads FILE once: keeps its lines, and reads first what it includes by "…".
function take(file,    line, name, depth) {
	if (file in seen) return
	seen[file] = 1
	depth = file ~ /h$/ ? -1 : 0	# a header's guard does not count
	while ((getline line <file) > 0) {
		if (line ~ /^#if/) depth++
		if (line ~ /^#endif/) depth--
		if (line ~ /^#define _[A-Z_]+_SOURCE|^#define _FILE_OFFSET_BITS/) {
			if (!(line in macro)) { macro[line] = 1; macros = macros line "\n" }
		} else if (line ~ /^#include </ && depth <= 0) {
			if (!(line in header)) { header[line] = 1; headers = headers line "\n" }
		} else if (line ~ /^#include "/) {
			name = line; gsub(/^#include "|".*/, "", name)
			take("lib/" name)
			sub(/h$/, "c", name)
			if (!(("lib/" name) in wanted)) { wanted["lib/" name] = 1; source[++sources] = "lib/" name }
		} else
			text[file] = text[file] line "\n"
	}
	close(file)
	order[++files] = file
}

BEGIN {
	tool = ARGV[1]; ARGC = 1
	name = tool; gsub(/.*\/|\.c$/, "", name)
	take(tool)
	for (i = 1; i <= sources; i++) take(source[i])
	printf "/* %s, from batchutils %s, as one file: cc -o %s %s.c -lm\n", name, version, name, name
	print " * Made by `make one`; the separate sources are easier to read. SPDX-License-Identifier: 0BSD */"
	printf "%s#ifndef VERSION\n#define VERSION \"%s\"\n#endif\n\n%s\n", macros, version, headers
	for (i = 1; i <= files; i++) if (order[i] ~ /\.h$/) printf "%s", text[order[i]]
	for (i = 1; i <= files; i++) if (order[i] ~ /\.c$/ && order[i] != tool) printf "%s", text[order[i]]
	printf "%s", text[tool]
}
