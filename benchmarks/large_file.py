"""Train on a file that is much larger than what is held in memory: make it, train with progress, say the peak.

    python -m benchmarks.large_file --megabytes 1000 --jobs 1
"""

import argparse
import tempfile
import time
from pathlib import Path

from autograder.train import train
from benchmarks.contestants import peak_megabytes
from benchmarks.corpora import MB, standard_library, varied


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--ids", type=int, default=8000)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "corpus.txt")
        with path.open("wb") as file:
            for block in varied(standard_library(5 * MB), asked.megabytes * MB):
                file.write(block.encode())
        start, cpu = time.perf_counter(), time.process_time()
        vocab, merges = train([path], asked.ids, [], jobs=asked.jobs)
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        print(
            f"{path.stat().st_size / MB:.0f} MB, {len(vocab)} ids ({len(merges)} merges), {asked.jobs} process(es): "
            f"{seconds:.0f} s, {cpu:.0f} s of CPU in this process, at most {peak_megabytes():.0f} MB of memory in it"
        )


if __name__ == "__main__":
    main()
