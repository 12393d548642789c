"""Times promptbadger over the texts of a JSON file: one process, one loop, start-up not counted.

Of clock and processor time the shorter counts, so that a busy machine does no harm.
"""

import json
import sys
import time

from promptbadger import Scanner

with open(sys.argv[1], encoding="utf-8") as file:
    groups = json.load(file)
scanner = Scanner()
seconds = {}
for group in groups:
    scan = scanner.scan if group["direction"] == "input" else scanner.scan_context
    for text in group["texts"]:
        scan(text)
    best = None
    for _ in range(group["rounds"]):
        start, processor = time.perf_counter(), time.process_time()
        for text in group["texts"]:
            scan(text)
        took = min(time.perf_counter() - start, time.process_time() - processor)
        best = took if best is None else min(best, took)
    seconds[group["name"]] = best
json.dump(seconds, sys.stdout)
