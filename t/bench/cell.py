"""cell.py INDEX SIZE...: what people write in a job script to find their cell."""
import itertools
import sys

sizes = [range(int(n)) for n in sys.argv[2:]]
cells = list(itertools.product(*sizes))
print("-".join(map(str, cells[int(sys.argv[1])])))
