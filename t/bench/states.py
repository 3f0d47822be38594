# states.py FILE - counts the states of the jobs in text of sacct -P: what a reader with the csv module takes
import csv
import sys

newest = {}
with open(sys.argv[1], newline='') as f:
    for row in csv.DictReader(f, delimiter='|', quoting=csv.QUOTE_NONE):
        if '.' in row['JobID']:
            continue
        key = row['User'], row['JobID']
        if key not in newest or newest[key][0] <= row['Submit']:
            newest[key] = row['Submit'], row['State'].split(' ')[0]
count = {}
for submit, state in newest.values():
    count[state] = count.get(state, 0) + 1
for state in sorted(count):
    print(state, count[state], sep='\t')
