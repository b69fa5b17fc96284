"""What a run says."""

import io
import unittest

from babbench_ray.progress import Progress, clock_time


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


class ProgressTest(unittest.TestCase):
    """Lines for people and for logs."""

    def told(self, stream: io.StringIO, **environ: str) -> str:
        """A run of 100 shards in 50 seconds, one of which died."""
        seconds = iter(range(1, 10_000))
        progress = Progress(stream, environ, lambda: next(seconds) / 2, 100)
        progress.begin(0)
        for number in range(1, 101):
            if number == 7:
                progress.again(7, "its node died", 1, 3)
            progress.shard(10)
        progress.end()
        return stream.getvalue()

    def test_a_log_gets_a_line_for_each_tenth(self) -> None:
        """And one for each shard that died; no control characters."""
        lines = self.told(io.StringIO()).splitlines()
        self.assertEqual(len(lines), 11)
        self.assertNotIn("\x1b", "".join(lines))
        self.assertEqual(lines[0], "shard 7/100 died (its node died); again, 1 of 3")
        self.assertRegex(lines[1], r"^10/100 shards, \d+ worlds/s, 1 played again, 0:\d\d left$")
        self.assertRegex(lines[-1], r"^100/100 shards, \d+ worlds/s, 1 played again$")

    def test_a_terminal_has_one_line_that_changes(self) -> None:
        """The shard that died stays above it."""
        told = self.told(Terminal())
        self.assertEqual(told.count("\n"), 2)
        self.assertEqual(told.count("\r\x1b[K"), 102)

    def test_colour_can_be_declined(self) -> None:
        """NO_COLOR, and terminals that know nothing."""
        self.assertIn("\x1b[33m", self.told(Terminal()))
        self.assertNotIn("\x1b[33m", self.told(Terminal(), NO_COLOR="1"))
        self.assertNotIn("\x1b", self.told(Terminal(), TERM="dumb"))

    def test_durations_read_like_a_clock(self) -> None:
        """With hours when there are some."""
        self.assertEqual([clock_time(s) for s in (0, 7.4, 61, 3723)], ["0:00", "0:07", "1:01", "1:02:03"])


if __name__ == "__main__":
    unittest.main()
