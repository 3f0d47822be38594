"""row.py FILE N: one row of a table, with the csv module; rows that are there twice are refused, as gridtag does."""
import csv
import sys

with open(sys.argv[1], newline="") as f:
    reader = csv.reader(f)
    header = next(reader)
    rows = [tuple(row) for row in reader]
if len(set(rows)) != len(rows):
    sys.exit("two rows are the same")
print(dict(zip(header, rows[int(sys.argv[2])])))
