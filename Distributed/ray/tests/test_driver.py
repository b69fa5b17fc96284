"""The run as a whole, on a cluster that stands in."""

import io
from collections.abc import Callable
from pathlib import Path

from babbench_ray.collected import Collected
from babbench_ray.contract import Campaign
from babbench_ray.driver import Run, merge
from babbench_ray.play import Played
from babbench_ray.progress import Progress
from fakes import FAKE_BENCH, FakeCluster, Refusal, ScratchTest, played

CAMPAIGN = Campaign(("stress", "two-peers"), 4)


class DriverTest(ScratchTest):
    """Handing out, collecting, handing out again."""

    def collected(self, resume: bool = False, campaign: Campaign = CAMPAIGN, bench: str = "b") -> Collected:
        """The folder of shards of this test."""
        return Collected(self.folder / "whole", campaign, bench, resume)

    def run_on(self, play: Callable[[int, int], Played | str], resume: bool = False, stop_after: int = 99) -> bool:
        """Plays the campaign; interrupted when so many shards were asked for."""
        self.cluster = FakeCluster(play)
        self.said = io.StringIO()
        progress = Progress(self.said, {}, lambda: 0.0, 4)
        self.shards = self.collected(resume)
        calls = iter(range(1000))
        return Run(self.cluster, self.shards, progress, 4, 2, lambda: next(calls) >= stop_after).play()

    @staticmethod
    def given(outcomes: list[Played]) -> Callable[[int, int], Played | str]:
        """Every attempt of a shard comes to the outcome with its number."""
        return lambda number, attempt: outcomes[number]

    def test_all_shards_arrive_once(self) -> None:
        """No more are under way than there is room for, and none is left."""
        self.assertTrue(self.run_on(lambda number, attempt: played(number)))
        self.assertEqual(self.cluster.attempts, {1: 1, 2: 1, 3: 1, 4: 1})
        self.assertEqual((self.cluster.most, self.cluster.cancelled, self.shards.missing()), (2, [], []))

    def test_results_that_fail_are_results(self) -> None:
        """Merging decides about 1 and 2."""
        self.assertTrue(self.run_on(lambda number, attempt: played(number, number % 3)))

    def test_a_shard_that_died_is_played_again(self) -> None:
        """Twice here, with a line each; by a lost worker and by a killed bench."""

        def play(number: int, attempt: int) -> Played | str:
            if number == 2 and attempt < 3:
                return "its node died" if attempt == 1 else played(2, -9)
            return played(number)

        self.assertTrue(self.run_on(play))
        self.assertEqual(self.cluster.attempts, {1: 1, 2: 3, 3: 1, 4: 1})
        self.assertIn("shard 2/4 died (its node died); again, 1 of 2\n", self.said.getvalue())
        self.assertIn("shard 2/4 died (babbench ended with -9 on node-1); again, 2 of 2\n", self.said.getvalue())
        self.assertIn("2 played again", self.said.getvalue())

    def test_a_shard_that_keeps_dying_ends_the_run(self) -> None:
        """After the retries, with the last reason; what was collected stays."""
        with self.assertRaisesRegex(Refusal, "shard 1/4 died 3 times, the last time: its worker crashed") as caught:
            self.run_on(lambda number, attempt: "its worker crashed" if number == 1 else played(number))
        self.assertEqual(caught.exception.code, 3)
        self.assertEqual(self.shards.missing()[0], 1)

    def test_a_shard_that_fails_ends_the_run(self) -> None:
        """With the bench's own line and code; what is under way is cancelled."""
        for code, ended in ((64, 64), (3, 3), (127, 3)):
            outcome = [played(number, code, "no such scenario") for number in range(5)]
            with self.subTest(code), self.assertRaisesRegex(Refusal, "on node-1: no such scenario") as caught:
                self.run_on(self.given(outcome), resume=True)
            self.assertEqual(caught.exception.code, ended)
            self.assertEqual(len(self.cluster.cancelled), 1)

    def test_an_interrupted_run_continues(self) -> None:
        """Only what is missing is played."""
        self.assertFalse(self.run_on(lambda number, attempt: played(number), stop_after=2))
        there = 4 - len(self.shards.missing())
        self.assertEqual((there, len(self.cluster.cancelled)), (2, 1))
        self.assertTrue(self.run_on(lambda number, attempt: played(number), resume=True))
        self.assertEqual(len(self.cluster.attempts), 2)
        self.assertIn("2 of 4 shards are there from an earlier run\n", self.said.getvalue())

    def test_shards_of_another_campaign_are_refused(self) -> None:
        """Without --resume, and with another command, number of shards or bench."""
        self.collected()
        for resume, campaign, bench in (
            (False, CAMPAIGN, "b"),
            (True, Campaign(("stress", "else"), 4), "b"),
            (True, Campaign(CAMPAIGN.command, 5), "b"),
            (True, CAMPAIGN, "c"),
        ):
            with self.assertRaises(Refusal):
                self.collected(resume, campaign, bench)
        self.assertEqual(self.collected(True).missing(), [1, 2, 3, 4])
        (self.folder / "other.shards").mkdir()
        with self.assertRaisesRegex(Refusal, "in the way"):
            Collected(self.folder / "other", CAMPAIGN, "b", True)

    def test_merging_takes_the_shards_in_their_order(self) -> None:
        """And its exit code is that of the run."""
        bench = self.folder / "bench"
        bench.mkdir()
        (bench / "babbench").symlink_to(FAKE_BENCH)
        shards = self.collected()
        with self.assertRaisesRegex(Refusal, "shards 1, 2, 3, 4 are missing"):
            merge(bench, shards, self.folder / "whole")
        for path in shards.paths():
            path.mkdir()
            (path / "result.json").write_text(path.name + "\n")
        self.assertEqual(merge(bench, shards, self.folder / "whole"), 1)
        self.assertEqual(Path(f"{self.folder}/whole.merged").read_text().split(), ["1", "2", "3", "4"])
