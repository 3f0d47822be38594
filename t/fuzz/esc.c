/* esc - bytes from outside: a field is undone to what it was, a screen sees no control byte, a shell reads the same word
 *
 * seeds: t/lib.bats
 * words: \t \n \\ \x00 \xff ' $( `
 * SPDX-License-Identifier: 0BSD */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "esc.h"
#include "fuzz.h"
#include "shq.h"

const char help[] = "fuzz";

static char *
put(const char *s, size_t n, enum esc_how how, size_t *len)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, len);

	esc_put(f, s, n, how);
	fclose(f);
	return text;
}

static void
test(const uint8_t *data, size_t size)
{
	char *s = fuzz_text(data, size), *text, *at;
	size_t n, i, len;
	FILE *f;

	text = put(s, size, ESC_FIELD, &n);
	for (i = 0; i < n; i++)
		fuzz_must((unsigned char)text[i] >= ' ' && text[i] != '\177', "a control byte in a field");
	if (memchr(s, '\0', size) == NULL)
		fuzz_must(esc_undo(text, n) == size && memcmp(text, s, size) == 0, "a field undone is another text");
	text = put(s, size, ESC_SCREEN, &n);
	for (i = 0; i < n; i += len) {
		len = esc_utf8(text + i, n - i);
		fuzz_must(len > 0 && (unsigned char)text[i] >= ' ' && text[i] != '\177', "bytes a screen must not see");
		fuzz_must(!((unsigned char)text[i] == 0xc2 && (unsigned char)text[i + 1] < 0xa0), "a C1 control");
	}
	text = put(s, size, ESC_JSON, &n);
	for (i = 0; i < n; i += len) {
		len = esc_utf8(text + i, n - i);
		fuzz_must(len > 0 && (unsigned char)text[i] >= ' ', "bytes that no JSON string has");
	}
	esc_undo(s, size);

	s = fuzz_text(data, size);
	size = strlen(s);
	text = NULL;
	f = open_memstream(&text, &n);
	shq_put(f, s, size);
	fclose(f);
	/* as a shell reads it: words in '…', and \' outside of them; plain ones as they are */
	for (at = text, i = 0; *at != '\0'; ) {
		if (*at == '\'') {
			for (at++; *at != '\''; at++)
				fuzz_must(*at != '\0' && i < size && *at == s[i++], "a shell would read another word");
			at++;
			continue;
		}
		if (*at == '\\')
			at++;
		fuzz_must(i < size && *at == s[i++] && (at > text && at[-1] == '\\' ? 1 : strchr(" \t\n$`\"|&;<>()*?[]#~!{}", *at) == NULL),
		    "a shell would read another word");
		at++;
	}
	fuzz_must(i == size && *text != '\0', "a shell would read a shorter word");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_call(test, data, size);
	return 0;
}
