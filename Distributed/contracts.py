"""The shell of Slurm, Kubernetes and CI, run as they would run it, against a real bench and one process's result.

BABBENCH names the bench. Standard library only; YAML is read as far as the shell in it needs.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
BENCH = Path(os.environ["BABBENCH"]).resolve()
COMMAND = ["stress", "two-peers", "--seeds", "1..12"]


def blocks(path: Path) -> list[str]:
    """The literal blocks of a YAML file (`run: |`, `- |`): lines that are indented more than the one with the sign."""
    found: list[list[str]] = []
    inside = -1
    for line in path.read_text().splitlines():
        indent = len(line) - len(line.lstrip())
        if inside >= 0 and (indent > inside or not line.strip()):
            found[-1].append(line)
            continue
        inside = indent if re.search(r"(: |- )\|$", line) else -1
        if inside >= 0:
            found.append([])
    return ["\n".join(line[len(lines[0]) - len(lines[0].lstrip()) :] for line in lines) + "\n" for lines in found]


def result(folder: Path) -> dict[str, object]:
    """What a campaign came to, except for the time that it took."""
    read: dict[str, object] = json.loads((folder / "result.json").read_text())
    if not isinstance(read.pop("wallMilliseconds"), int):
        raise AssertionError("wallMilliseconds is no number")
    return read


class ContractTest(unittest.TestCase):
    """Three shards of twelve worlds each way."""

    single: Path

    @classmethod
    def setUpClass(cls) -> None:
        """Plays the campaign in one process."""
        cls.single = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.single)
        cls.bench(*COMMAND, "--out", str(cls.single))

    @staticmethod
    def bench(*words: str) -> None:
        """Runs the bench where its scenarios are."""
        subprocess.run([BENCH, *words], cwd=HERE.parent, check=True, stdout=subprocess.DEVNULL)

    def setUp(self) -> None:
        """Makes a folder as a user would have it: the bench and the scenarios in it."""
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.make_bench(self.folder)

    @staticmethod
    def make_bench(folder: Path) -> None:
        """Puts the bench, as a line that starts it, and its scenarios into a folder."""
        (folder / "babbench").write_text(f'#!/bin/sh\nexec "{BENCH}" "$@"\n')
        (folder / "babbench").chmod(0o755)
        shutil.copytree(HERE.parent / "Scenarios", folder / "Scenarios")

    def pack_bench(self) -> None:
        """Makes what the job `build` hands to the others."""
        (self.folder / "bench").mkdir()
        self.make_bench(self.folder / "bench")
        self.assertEqual(self.shell(["tar", "-czf", "bench.tar.gz", "bench"]), 0)

    def shell(self, words: list[str], **environ: str) -> int:
        """Runs a script in the folder. Returns its exit code."""
        path = f"{self.folder}:{os.environ['PATH']}"
        plain = {key: value for key, value in os.environ.items() if not key.startswith("SLURM")}
        ended = subprocess.run(
            words,
            cwd=self.folder,
            env=plain | {"PATH": path} | environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        return ended.returncode

    def same_as_one_process(self, whole: Path) -> None:
        """Judges a merged folder."""
        self.assertEqual(result(whole), result(self.single))
        self.assertEqual((whole / "worlds.csv").read_bytes(), (self.single / "worlds.csv").read_bytes())

    def test_slurm(self) -> None:
        """Each task of the array, one of them twice, as after a node that died; one sent again by itself."""
        script = ["bash", str(HERE / "slurm/shard.sbatch"), *COMMAND]
        for task in ("1", "2", "2"):
            self.assertEqual(self.shell(script, SLURM_ARRAY_TASK_ID=task, SLURM_ARRAY_TASK_COUNT="3"), 0)
        self.assertEqual(self.shell(script, SLURM_ARRAY_TASK_ID="3", SLURM_ARRAY_TASK_COUNT="1", SHARDS="3"), 0)
        self.assertEqual(self.shell(["sh", "-c", "./babbench merge parts/* --out whole"]), 0)
        self.same_as_one_process(self.folder / "whole")

    def test_slurm_submits_an_array_and_a_merge(self) -> None:
        """With an sbatch that runs at once what it is given."""
        fake = self.folder / "sbatch"
        fake.write_text(
            "#!/bin/bash\n"
            'echo "$*" >> sent; echo 17\n'
            "exec > log 2>&1\n"
            'case "$*" in\n'
            '  *--wrap=*) for word; do :; done; exec sh -c "${word#--wrap=}" ;;\n'
            "esac\n"
            "script=$3; shift 3\n"
            'for SLURM_ARRAY_TASK_ID in 1 2 3; do export SLURM_ARRAY_TASK_ID; bash "$script" "$@"; done\n'
        )
        fake.chmod(0o755)
        self.assertEqual(self.shell([str(HERE / "slurm/submit"), "3", *COMMAND]), 0)
        self.same_as_one_process(self.folder / "whole")
        sent = (self.folder / "sent").read_text().splitlines()
        self.assertIn("--array=1-3", sent[0])
        self.assertIn("--dependency=afterany:17", sent[1])
        self.assertEqual(self.shell([str(HERE / "slurm/submit"), "1", *COMMAND]), 64)

    def test_kubernetes(self) -> None:
        """The command of the container with each completion index."""
        (play,) = blocks(HERE / "kubernetes/shards.yaml")
        (merge,) = blocks(HERE / "kubernetes/merge.yaml")
        for index in range(3):
            words = ["sh", "-c", play, "shard", *COMMAND]
            self.assertEqual(self.shell(words, JOB_COMPLETION_INDEX=str(index), SHARDS="3", PARTS="parts"), 0)
        self.assertEqual(self.shell(["sh", "-c", merge], PARTS="parts", WHOLE="whole"), 0)
        self.same_as_one_process(self.folder / "whole")

    def test_ci(self) -> None:
        """The steps `play` and `merge`, as the runner runs them in a container: `sh -e`."""
        play, merge = (
            block
            for block in blocks(HERE / "ci/stress.yml")
            if "bench.tar.gz bench" not in block and "tar -xzf" in block
        )
        self.pack_bench()
        for shard in ("1", "2", "3"):
            self.assertEqual(self.shell(["sh", "-ec", play], SHARD=shard, SHARDS="3", CAMPAIGN=" ".join(COMMAND)), 0)
        self.assertEqual(self.shell(["sh", "-ec", merge]), 0)
        self.same_as_one_process(self.folder / "whole")

    def test_a_result_that_fails_is_no_failed_part(self) -> None:
        """A claim that cannot hold is 1 of the bench, and 0 of the part; a wrong command is what it is."""
        (play,) = blocks(HERE / "kubernetes/shards.yaml")
        step = next(block for block in blocks(HERE / "ci/stress.yml") if "$CAMPAIGN" in block)
        self.pack_bench()
        impossible = ["--claim=turn<1us"]
        direct = self.shell(["./babbench", *COMMAND, *impossible])
        self.assertEqual(direct, 1)
        for extra, code in (impossible, 0), (["--shards"], 64):
            words = [*COMMAND, *extra]
            ids = {"SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "3", "JOB_COMPLETION_INDEX": "0"}
            more = {"SHARDS": "3", "SHARD": "1", "PARTS": f"parts-{code}", "CAMPAIGN": " ".join(words)}
            with self.subTest(extra):
                self.assertEqual(self.shell(["bash", str(HERE / "slurm/shard.sbatch"), *words], **ids, **more), code)
                self.assertEqual(self.shell(["sh", "-c", play, "shard", *words], **ids, **more | {"PARTS": "k"}), code)
                self.assertEqual(self.shell(["sh", "-ec", step], **more), code)


if __name__ == "__main__":
    unittest.main()
