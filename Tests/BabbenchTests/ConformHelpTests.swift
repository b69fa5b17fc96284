import Expectations
import Testing

@testable import Commands

/// Help for an engine that is half done, and judging by what its documents say.
@Suite("babbench conform: help, profiles, published clauses", .shippedEdition)
struct ConformHelpTests {
  @Test("A case that waits for a step is run again with it, and what it comes to is told and not green")
  func secondPass() throws {
    let folder = try TemporaryFolder()
    let talk = try ConformTalk.run([
      "--iut", "never-greets", "--dialect", "sdk", "--select", "BAB/HOST/FRAG/BI-02-C", "--select",
      "BAB/HOST/FRAG/BI-03-C", "--out", folder.path + "/out",
    ])
    equal(talk.status, 2)
    equal(
      talk.lines[0],
      "blocked  sends no HANDSHAKE (BAB 5.1.6, decision on SDK)"
        + "; it sends nothing to a peer that has subscribed: 2 blocked",
      "\(talk.output)")
    expect(talk.lines.contains("run again with missing steps taken by the bench: 2 pass with help"))
    let alone = try ConformTalk.run([
      "--iut", "never-greets", "--dialect", "sdk", "--select", "BAB/HOST/FRAG/BI-02-C", "--assume", "none",
    ])
    expect(!alone.output.contains("run again with"))
  }

  @Test("A right engine that is helped passes with help, and no run of it is green")
  func neverGreen() throws {
    let talk = try ConformTalk.run([
      "--iut", "reference", "--role", "host", "--dialect", "sdk", "--select", "BAB/HOST/GATT/BV-01-C", "--assume",
      "greeting,seat",
    ])
    equal(talk.status, 2)
    expect(talk.output.contains("1 pass with help"), "\(talk.output)")
    expect(talk.output.contains("--assume greeting,seat"))
  }

  @Test(
    "A misspelt step or profile is refused, with the one that is meant",
    arguments: [
      (["--assume", "greting"], "did you mean “greeting”?"), (["--profile", "sdkk"], "did you mean “sdk”?"),
    ])
  func slips(words: [String], hint: String) throws {
    let talk = try ConformTalk.run(["--iut", "reference", "--role", "host"] + words)
    equal(talk.status, 64)
    expect(talk.complaints.joined().contains(hint), "\(talk.complaints)")
  }

  @Test("What no document says is not asked of an engine that follows documents alone")
  func published() throws {
    let words = ["--iut", "no-handshake-back", "--dialect", "sdk", "--select", "BAB/HOST/LOBBY/BV-02-C"]
    try equal(ConformTalk.run(words).status, 1)
    let judged = try ConformTalk.run(words + ["--only", "published", "--dryrun"])
    expect(judged.output.contains("BAB 5.1.6 is a decision of the bench"), "\(judged.output)")
    try equal(ConformTalk.run(words + ["--only", "published"]).status, 2)
  }

  @Test("A profile names the documents that an engine follows; the lobby guide is none of the SDK's")
  func profile() throws {
    let words = ["--iut", "reference", "--role", "host", "--select", "BAB/HOST/LOBBY/BV-01-C", "--dryrun"]
    let talk = try ConformTalk.run(words + ["--profile", "sdk"])
    expect(talk.output.contains("of the lobby guide, which the profile does not follow"), "\(talk.output)")
    try expect(!ConformTalk.run(words).output.contains("lobby guide"))
  }
}
