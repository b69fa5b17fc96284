"""Words, exit codes and messages."""

import unittest

from babbench_ray.contract import Campaign, Refusal, ending, failure_code, first_message, shard_words, spread


class ContractTest(unittest.TestCase):
    """The contract between the bench and its drivers."""

    def test_a_shard_is_the_command_and_three_options(self) -> None:
        """The bench's own command line, as Docs/stress.md describes it."""
        words = shard_words(["stress", "two-peers"], 3, 8, 2, "part-3", False)
        self.assertEqual(words, ["stress", "two-peers", "--jobs", "2", "--shard", "3/8", "--out", "part-3"])
        self.assertEqual(shard_words(["a"], 1, 1, 1, "o", True)[-1], "--resume")

    def test_jobs_of_the_command_count(self) -> None:
        """Both spellings."""
        for given in (["--jobs", "7"], ["--jobs=7"]):
            self.assertEqual(shard_words(["a", *given], 1, 1, 2, "o", False)[1 : 1 + len(given)], given)
            self.assertNotIn("2", shard_words(["a", *given], 1, 1, 2, "o", False))

    def test_what_the_driver_appends_is_refused(self) -> None:
        """Each option names itself in the refusal."""
        for word in ("--shard", "--shard=1/2", "--out", "--resume"):
            with self.assertRaisesRegex(Refusal, word.split("=")[0]) as caught:
                Campaign(("stress", word), 2).check()
            self.assertEqual(caught.exception.code, 64)

    def test_numbers_of_shards_have_limits(self) -> None:
        """None, and too many."""
        for shards in (0, 1, 100_001):
            with self.assertRaises(Refusal):
                Campaign(("stress",), shards).check()
        with self.assertRaisesRegex(Refusal, "no command"):
            Campaign((), 2).check()

    def test_exit_codes_are_results_deaths_or_failures(self) -> None:
        """Docs/Formats/exit-codes.md, and what shells make of signals."""
        self.assertEqual({ending(code) for code in (0, 1, 2)}, {"result"})
        self.assertEqual({ending(code) for code in (-9, -4, 130, 137, 143)}, {"died"})
        self.assertEqual({ending(code) for code in (3, 64, 126, 127, 70)}, {"failed"})
        self.assertEqual([failure_code(code) for code in (64, 3, 127)], [64, 3, 3])

    def test_the_bench_s_own_line_is_found(self) -> None:
        """The two forms that the bench has, and what is left without them."""
        usage = "error: --shard takes K/N\n  see babbench stress --help\n"
        self.assertEqual(first_message(usage), "--shard takes K/N")
        self.assertEqual(first_message("playing\rerror: nope: no such file\n"), "nope: no such file")
        self.assertEqual(first_message("a\nb: libswiftCore.so: cannot open\n"), "b: libswiftCore.so: cannot open")
        self.assertEqual(first_message(""), "it said nothing")

    def test_long_lists_are_cut(self) -> None:
        """Five numbers are named."""
        self.assertEqual(spread([1, 2]), "1, 2")
        self.assertEqual(spread(range(1, 9)), "1, 2, 3, 4, 5 and 3 more")


if __name__ == "__main__":
    unittest.main()
