/* stats - the 10,000 stat calls that gridtag -a -m makes, alone */
#include <sys/stat.h>

#include <stdio.h>

int
main(void)
{
	struct stat st;
	char name[64];
	int i, there = 0;

	for (i = 0; i < 10000; i++) {
		snprintf(name, sizeof name, "out/%d+%d+%d+%d.json", i / 1000, i / 100 % 10, i / 10 % 10, i % 10);
		there += stat(name, &st) == 0;
	}
	printf("%d\n", there);
	return 0;
}
