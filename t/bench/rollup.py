# rollup.py FILE - runs of text of sacct -P rolled up into pieces of work, as sacct-work does: what a reader with the csv
# module and dictionaries takes. Prints work, runs, done, failed, timeout, oom, lost, core-hours, GPU-hours, cost.
import csv
import re
import sys

column = {'COMPLETED': 0, 'FAILED': 1, 'TIMEOUT': 2, 'DEADLINE': 2, 'OUT_OF_MEMORY': 3}
still = {'RUNNING', 'PENDING', 'SUSPENDED', 'COMPLETING', 'CONFIGURING'}
digits = re.compile(r'\d+')
work = {}
peaks = {}
latest = None
with open(sys.argv[1], newline='') as f:
    for row in csv.DictReader(f, delimiter='|', quoting=csv.QUOTE_NONE):
        if '.' in row['JobID']:
            if row['MaxRSS'] and latest is not None:
                peaks[latest] = max(peaks.get(latest, 0), float(row['MaxRSS'].rstrip('K')))
            continue
        state = row['State'].split(' ')[0]
        if state in still:
            continue
        tres = dict(item.split('=', 1) for item in row['AllocTRES'].split(',') if item)
        gpus = int(tres.get('gres/gpu', 0))
        latest = '%s/%s/%s' % (row['User'], 'gpu' if gpus else 'cpu', digits.sub('#', row['JobName']))
        sums = work.setdefault(latest, [0, 0, 0, 0, 0, 0, 0.0, 0.0])
        sums[0] += 1
        sums[1 + column.get(state, 4)] += 1
        hours = int(row['ElapsedRaw']) / 3600
        sums[6] += hours * int(row['AllocCPUS'])
        sums[7] += hours * gpus
for key, s in sorted(work.items(), key=lambda item: -(16 * item[1][7] + item[1][6])):
    print(key, *s[:6], '%.1f' % s[6], '%.1f' % s[7], '%.1f' % (16 * s[7] + s[6]), sep='\t')
