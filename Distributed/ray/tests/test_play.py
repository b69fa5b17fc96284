"""One shard on one node, with a bench that stands in."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from babbench_ray.bundle import scratch, unpack
from babbench_ray.play import play
from fakes import ARCHIVE, ScratchTest, alive, job


def fetch() -> bytes:
    """The archive, without an object store."""
    return ARCHIVE


class PlayTest(ScratchTest):
    """What a node does with a shard."""

    def test_a_result_travels_with_its_folder(self) -> None:
        """And leaves nothing on the node."""
        for how, code in (("pass", 0), ("fail", 1)):
            played = play(job(how), 2, fetch)
            self.assertEqual((played["code"], played["worlds"], played["message"]), (code, 2, ""))
            unpack(played["octets"], self.folder / how)
            self.assertEqual((self.folder / how / "result.json").read_text(), "2/4 \n")
            self.assertTrue((self.folder / how / "worlds/1").exists())
            self.assertFalse((scratch() / "shards-test/2").exists())

    def test_what_is_left_out_does_not_travel(self) -> None:
        """By its name."""
        unpack(play(job("pass", leave_out=("worlds",)), 1, fetch)["octets"], self.folder / "part")
        self.assertEqual(sorted(p.name for p in (self.folder / "part").iterdir()), ["result.json", "worlds.csv"])

    def test_a_folder_over_the_limit_is_a_failure(self) -> None:
        """With the size and the way out."""
        played = play(job("pass", limit=10), 1, fetch)
        self.assertEqual((played["code"], played["octets"]), (3, b""))
        self.assertRegex(played["message"], "--limit allows 10; see --leave-out")

    def test_a_failure_has_the_bench_s_own_line(self) -> None:
        """For a wrong command and for a broken bench."""
        self.assertEqual(play(job("refuse"), 1, fetch)["message"], "no such scenario")
        self.assertEqual(play(job("break"), 1, fetch)["message"], "the disk is full")
        self.assertEqual([play(job(how), 1, fetch)["code"] for how in ("refuse", "break")], [64, 3])

    def test_an_attempt_that_died_is_continued(self) -> None:
        """From the state that it left on this node."""
        self.assertEqual(play(job("die-once"), 3, fetch)["code"], -9)
        played = play(job("die-once"), 3, fetch)
        unpack(played["octets"], self.folder / "part")
        self.assertEqual((self.folder / "part/result.json").read_text(), "3/4 yes\n")

    def test_a_command_that_cannot_continue_begins_again(self) -> None:
        """Without --resume, and without what the first attempt left."""
        self.assertEqual(play(job("lose-once"), 3, fetch)["code"], -9)
        (scratch() / "shards-test/3/left").touch()
        played = play(job("lose-once"), 3, fetch)
        unpack(played["octets"], self.folder / "part")
        self.assertEqual((self.folder / "part/result.json").read_text(), "3/4 \n")
        self.assertFalse((self.folder / "part/left").exists())

    def test_a_bench_of_another_version_plays_nothing(self) -> None:
        """The line says both."""
        wanted = job("pass")
        wanted["version"] = "babbench 9"
        played = play(wanted, 1, fetch)
        self.assertEqual(played["code"], 3)
        self.assertEqual(played["message"], "the bench does not start as babbench 9: babbench 0.0.0")

    def attempt(self) -> tuple[subprocess.Popen[bytes], int]:
        """A process that plays a shard which waits, and the process of that shard."""
        code = (
            "from babbench_ray.play import play; from fakes import job, ARCHIVE; play(job('wait'), 1, lambda: ARCHIVE)"
        )
        tests = Path(__file__).parent
        paths = f"{tests}:{tests.parent / 'src'}"
        environment = os.environ | {"PYTHONPATH": paths, "TMPDIR": str(self.folder)}
        player = subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.DEVNULL)
        children = Path(f"/proc/{player.pid}/task/{player.pid}/children")
        started = scratch() / "shards-test/1/worlds/1"
        while not started.exists() or not children.read_text():
            self.assertIsNone(player.poll())
            time.sleep(0.02)
        return player, int(children.read_text().split()[0])

    def test_a_cancelled_shard_saves_its_state(self) -> None:
        """Ray cancels a task by an interrupt."""
        player, bench = self.attempt()
        player.send_signal(signal.SIGINT)
        player.wait()
        self.assertFalse(alive(bench))
        self.assertEqual((scratch() / "shards-test/1/state.json").read_text(), "saved\n")

    def test_a_shard_ends_with_its_worker(self) -> None:
        """Even when that is killed."""
        player, bench = self.attempt()
        player.kill()
        player.wait()
        while alive(bench):  # A kernel that does not keep its word lets this test hang, and its runner say so.
            time.sleep(0.02)
