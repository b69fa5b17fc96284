import BabSuite
import Bench
import Conformance
import Expectations
import Judging
import SimKernel
import Testing

@testable import RunReports

@Suite("The difference between two runs")
struct DifferenceTests {
  @Test("A run does not differ from itself, whatever is captured meanwhile")
  func same() throws {
    for seed in [1, 7, 22] as [UInt64] {
      let run = try JudgedRun("lobby/eight-peer-lobby", seed: seed, ["radio=subway"])
      let sink = OctetCollector()
      _ = try World.run(
        run.scenario, options: RunOptions(seed: seed), readers: [TraceLinesReader(sink: sink)],
        engines: [AppProtocol.bab].engines)
      equal(sink.octets, run.octets)
      let difference = RunDifference(run.log, run.log)
      expect(difference.isEmpty && difference.drawn.isEmpty)
    }
  }

  @Test("Runs of one seed differ first by the word that the broken engine says, and then by what follows")
  func engine() throws {
    let right = try JudgedRun("lobby/two-peers").log
    let wrong = try JudgedRun("lobby/two-peers", ["devices.host.engine=ranking-reversed"]).log
    let difference = RunDifference(right, wrong)
    equal(difference.drawn.map(\.name), ["devices.host"])
    expect(difference.word?.first?.name == "leaderboard" && difference.word?.second?.name == "leaderboard")
    equal(difference.fields.map(\.name), ["rows"])
  }

  @Test("Where an expectation holds in one of two seeds only, its device comes first")
  func seeds() throws {
    let (good, bad) = (
      try JudgedRun("lobby/eight-peer-lobby", seed: 21, ["radio=subway"]).log,
      try JudgedRun("lobby/eight-peer-lobby", seed: 22, ["radio=subway"]).log
    )
    let difference = RunDifference(good, bad)
    let line = try required(difference.seen?.first)
    equal(good.name(of: line.device), "client-7")
    expect(difference.word == nil)
    equal(difference.expectations.count, 9)
    expect(difference.expectations.allSatisfy { $0.second == "false" })
  }

  @Test("The same things at other instants are told as that")
  func moved() throws {
    let run = try JudgedRun("lobby/two-peers")
    let text = String(decoding: run.octets, as: UTF8.self)
    let line = try required(run.log.lines.last { $0.kind == "report" })
    let later = text.replacing(
      "\"sequence\":\(line.record),\"instant\":\(line.instant.nanoseconds)",
      with: "\"sequence\":\(line.record),\"instant\":\(line.instant.nanoseconds + 5)")
    let difference = RunDifference(run.log, try RunLog(Array(later.utf8), file: "b"))
    expect(difference.seen == nil && difference.word == nil)
    equal(difference.moved?.first, line)
  }

  @Test(
    "What is no trace is refused with its line",
    arguments: [
      ("", "t:1: the file is empty; run --out writes a trace.jsonl"), ("{", "t:1:2: the text ends too early"),
      ("{}\n", "t:1: this is no record of a run; a line has kind and payload"),
      ("{\"kind\":\"step\",\"payload\":{}}\n", "t:1: the first line is no header"),
      (
        "{\"kind\":\"header\",\"payload\":{}}\n{\"kind\":\"step\",\"payload\":{\"sequence\":1,\"instant\":2,\"device\":3}}\n",
        "t:2: a record has sequence, instant and device, an index of the header's devices or -1"
      ),
    ])
  func refused(text: String, message: String) {
    let problem = #expect(throws: RunLog.Problem.self) { try RunLog(Array(text.utf8), file: "t") }
    equal(problem?.description, message)
  }
}
