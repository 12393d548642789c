"""Reads an .eval file with inspect-ai: header, every sample, every score. Exits 1 when something is not as it should be."""

import sys
from importlib.metadata import version

from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

path = sys.argv[1]
header = read_eval_log(path, header_only=True)
log = read_eval_log(path)
summaries = read_eval_log_sample_summaries(path)
samples = log.samples or []
problems = []
if header.status != "success":
    problems.append(f"status is {header.status}")
if not samples:
    problems.append("there are no samples")
if len(samples) != (header.results.total_samples if header.results else -1):
    problems.append(f"{len(samples)} samples, header says {header.results}")
if len(summaries) != len(samples):
    problems.append(f"{len(summaries)} summaries for {len(samples)} samples")
attacks = [s for s in samples if s.metadata["variant"] == "attack" and s.scores and "compromised" in s.scores]
hits = sum(1 for s in attacks if s.scores["compromised"].value == 1)
said = {score.name: score.metrics["mean"].value for score in (header.results.scores if header.results else [])}
if attacks and abs(hits / len(attacks) - said["compromised"]) > 1e-9:
    problems.append(f"compromised is {said['compromised']} in the header and {hits}/{len(attacks)} in the samples")
if any(not s.messages for s in samples):
    problems.append("a sample has no messages")
print(
    f"inspect-ai {version('inspect-ai')}: {len(samples)} samples, {sum(len(s.messages) for s in samples)} messages, "
    f"compromised {hits} of {len(attacks)}; {'; '.join(problems) or 'opens'}"
)
sys.exit(1 if problems else 0)
