"""Shows that what is planted is found: a document that is wrong does not pass."""

import os
import pathlib
import tempfile
import unittest

import app_seam
import command_lines
import figures
import tutorial

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SEAM = (ROOT / "Docs/Formats/app-seam.md").read_text(encoding="utf-8")


def follow(page):
    """What is wrong with a page of commands, which need no babbench."""
    with tempfile.TemporaryDirectory() as folder:
        follower = tutorial.Follower(page, pathlib.Path("/bin/sh"), pathlib.Path(folder))
        follower.follow()
        return follower.problems


class TutorialTests(unittest.TestCase):
    def test_outputs_are_compared(self):
        self.assertEqual(follow("```sh\necho a\necho b\n```\n```text\na\nb\n```\n```sh\ncd /\n```\n```sh\npwd\n```\n"
                                "```text\n/\n```\n"), [])
        for wrong in ("a\n", "a\nb\nc\n", "b\na\n", "…\na\n", "a …\nb\n…\nb\n"):
            self.assertEqual(len(follow(f"```sh\necho a; echo b\n```\n```text\n{wrong}```\n")), 1, wrong)

    def test_what_is_printed_and_not_shown_is_found(self):
        self.assertEqual(len(follow("```sh\necho a\n```\n")), 1)
        self.assertEqual(len(follow("```sh\necho a\n```\n```sh\necho b\n```\n```text\nb\n```\n")), 1)
        self.assertEqual(len(follow("```sh\nls /there/is/no/such/file\n```\n")), 1)

    def test_dots_stand_for_what_is_left_out(self):
        for right in ("…\n", "a …\n…\n", "…\nb\n", "a b …\nb\n…\n"):
            self.assertEqual(follow(f"```sh\necho a b c; echo b\n```\n```text\n{right}```\n"), [], right)

    def test_parts_go_where_their_titles_say(self):
        page = (
            '```python title="a.py"\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n```\n'
            '```python title="a.py, in place of f"\ndef f():\n    return 3\n```\n'
            '```python title="a.py, at the end"\nprint(f(), g())\n```\n'
            "```sh\npython3 a.py\n```\n```text\n3 2\n```\n")
        self.assertEqual(follow(page), [])
        with self.assertRaises(tutorial.Problem):
            follow(page.replace("place of f", "place of h"))
        with self.assertRaises(tutorial.Problem):
            follow("```ruby\nputs 1\n```\n")


class AppSeamTests(unittest.TestCase):
    def planted(self, old, new, page=SEAM):
        self.assertIn(old, page)
        page = app_seam.Page(page.replace(old, new, 1))
        found = list(page.problems)
        for kind, names in app_seam.names_of_sources(ROOT).items():
            found += [kind] if names != set(page.rows[kind]) else []
            found += filter(None, [page.misfit(kind, line) for line in page.examples[kind].values()])
        return found

    def test_planted_mistakes_are_found(self):
        self.assertEqual(self.planted("`link` link", "`link` link"), [])
        for old, new in [
            ("| `readyToSend` | `link` link |", "| `readyToSend` | `link` text |"),
            ("| `readyToSend` | `link` link |", "| `readyToSent` | `link` link |"),
            ("| `launched` |", "| `launched` | `on` flag"),
            ("`rssi` dBm", "`rssi` decibel"), ("`rssi` dBm", "and how loud"),
            ("`localName` text or null", "`localName` text"), ('{"name":"resumed"}\n', ""),
            ("| octet | whole", "| byte | whole"), ('"fragments":2', '"fragments":-2'),
            ("| `net.room` | `connection` connection |", "| `net.room` | `connection` interface |"),
            ("| `net.finish` |", "| `net.end` |"), ('"reason":"reset"', '"reason":"lost"'), ('"idle":5', '"idles":5'),
        ]:
            self.assertNotEqual(self.planted(old, new), [], new)

    def test_the_bench_refuses_what_it_does_not_know(self):
        bench = pathlib.Path(os.environ["BABBENCH"])
        page = app_seam.Page(SEAM.replace('{"name":"resumed"}', '{"name":"resumes"}'))
        with tempfile.TemporaryDirectory() as folder:
            count, found = app_seam.refusals(page, app_seam.Bench(bench, pathlib.Path(folder)), False)
        self.assertGreater(count, 4)
        self.assertEqual(len(found), 1)
        self.assertIn("resumes", found[0])


class CommandLineTests(unittest.TestCase):
    def test_commands_and_options_that_are_not_there_are_found(self):
        help_of = command_lines.Help(os.environ["BABBENCH"])

        def problems(page):
            return [command_lines.problem(line, help_of) for line in command_lines.lines(page)]

        right = (
            "```\nbabbench run x.yaml --seed 7 | less # babbench rnu\n$ .build/release/babbench fuzz run x \\\n"
            "  --when 'a --nothing b'\n```\n`babbench help run` and `babbench COMMAND --any`, not babbench at all\n")
        self.assertEqual(problems(right), [None] * 4)
        for wrong in (
            "`babbench rnu x`", "```sh\nA=1 babbench run x --sed 7\n```", "```\ntrue && babbench fuzz prot\n```",
            "```\nbabbench run x \\\n  --jobbs 2\n```",
        ):
            self.assertEqual(len([found for found in problems(wrong) if found]), 1, wrong)


class FiguresTests(unittest.TestCase):
    def test_a_page_or_picture_that_differs_is_found_and_written(self):
        with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as docs:
            made, docs = pathlib.Path(made), pathlib.Path(docs)
            self.assertEqual(len(figures.compare(made, docs, False)), 1)
            (made / "app.md").write_text("4 s\n", encoding="utf-8")
            (made / "app-gate.svg").write_text("<svg/>", encoding="utf-8")
            self.assertEqual(len(figures.compare(made, docs, False)), 2)
            self.assertEqual(len(figures.compare(made, docs, True)), 2)
            self.assertEqual(figures.compare(made, docs, False), [])
            (docs / "app.md").write_text("3 s\n", encoding="utf-8")
            (docs / "app-old.svg").write_text("<svg/>", encoding="utf-8")
            self.assertEqual(len(figures.compare(made, docs, False)), 2)
