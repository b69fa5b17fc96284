import AppSeam
import BeamOracles
import BeamScribe
import Bench
import Conformance
import Expectations
import Judging
import Platform
import SimKernel
import Testing
import VirtualNetwork

@Suite("Oracles of screens on hand-written traces")
struct ScreenTraceTests {
  @Test("A guest shows what was spoken, once and in order")
  func finals() {
    for (shown, verdict) in [
      ([(1, "a"), (2, "b")], Verdict.pass), ([(1, "a"), (1, "a")], .fail), ([(2, "b")], .fail), ([(1, "A")], .fail),
    ] as [([(Int, String)], Verdict)] {
      var script = BeamScript()
      script.show(0, .finalShown(sequence: 1, text: "a"))
      script.show(0, .finalShown(sequence: 2, text: "b"))
      for (sequence, text) in shown { script.show(1, .finalShown(sequence: sequence, text: text)) }
      equal(script.verdict(FinalsExactlyOnce.self), verdict)
    }
  }

  @Test("What a foreign host has spoken is not known")
  func foreign() {
    var script = BeamScript(foreignHost: true)
    script.show(1, .finalShown(sequence: 1, text: "whatever"))
    equal(script.verdict(FinalsExactlyOnce.self), .inconclusive)
    script.show(1, .finalShown(sequence: 3, text: "whatever"))
    equal(script.verdict(FinalsExactlyOnce.self), .fail)
  }

  @Test("A partial of the next final is shown, no other")
  func partials() {
    for (sequence, verdict) in [(2, Verdict.pass), (1, .fail), (3, .fail)] {
      var script = BeamScript()
      script.show(1, .finalShown(sequence: 1, text: "a"))
      script.show(1, .partialShown(sequence: sequence, text: "b"))
      equal(script.verdict(PartialsAreReplaced.self), verdict)
    }
  }

  @Test("An alert is raised before it is shown, and is no text")
  func alerts() {
    for (raised, report, verdict) in [
      ("batteryLow", .alertShown("batteryLow", isOwn: false), Verdict.pass),
      ("sessionResumed", .alertShown("batteryLow", isOwn: false), .fail),
      ("batteryLow", .alertShown("hostDisconnected", isOwn: true), .pass),
      ("batteryLow", .alertShown("batteryLow", isOwn: true), .fail),
      ("batteryLow", .finalShown(sequence: 1, text: "batteryLow"), .fail),
    ] as [(String, BeamReport, Verdict)] {
      var script = BeamScript()
      script.show(0, .alertRaised(raised))
      script.show(1, report)
      equal(script.verdict(AlertsChangeNoText.self), verdict)
    }
  }

  /// The newest final on an open stream; `between` is what happens before it is late.
  private func newest(shownAfter time: Int64?, _ between: (inout BeamScript) -> Void = { _ in }) -> BeamScript {
    var script = BeamScript(guests: 2)
    script.open(1)
    script.wait(1_000)
    script.open(2)
    script.wait(10_000)
    script.show(0, .finalShown(sequence: 1, text: "a"))
    script.final(1, 1, "a")
    between(&script)
    script.wait(time ?? 2_001)
    if time != nil { script.show(1, .finalShown(sequence: 1, text: "a")) }
    script.show(2, .finalShown(sequence: 1, text: "a"))
    script.wait(1)
    script.show(0, .guests(count: 2, open: 2))
    return script
  }

  @Test("The newest final is on the screen within 2 s")
  func converges() {
    equal(newest(shownAfter: 2_000).verdict(TranscriptConverges.self), .pass)
    equal(newest(shownAfter: nil).verdict(TranscriptConverges.self), .fail)
  }

  @Test("Whoever vanished, is partitioned, does not read, or has no viable stream owes no final")
  func excuses() {
    let excuses: [(inout BeamScript) -> Void] = [
      { $0.add(1, .fault(.vanish)) }, { $0.add(1, .fault(.network(.partition(from: nil)))) },
      { $0.ask(1, .read(ConnectionID(2), false)) }, { $0.hear(1, .viable(ConnectionID(2), false)) },
      { $0.add(1, .fault(.background)) }, { $0.add(0, .fault(.network(.wifiOff))) },
    ]
    for excuse in excuses {
      let result = newest(shownAfter: nil, excuse).result(TranscriptConverges.self)
      expect(result.findings.allSatisfy { $0.device == 2 })
    }
  }

  @Test("A guest that does not read delays nobody")
  func slow() {
    for (time, verdict) in [(2_000, Verdict.pass), (nil, .fail)] as [(Int64?, Verdict)] {
      var script = BeamScript(guests: 2)
      script.open(1)
      script.open(2)
      script.wait(10_000)
      script.ask(2, .read(ConnectionID(2), false))
      script.show(0, .finalShown(sequence: 1, text: "a"))
      script.wait(time ?? 2_001)
      if time != nil { script.show(1, .finalShown(sequence: 1, text: "a")) }
      script.wait(1)
      script.show(0, .guests(count: 2, open: 2))
      equal(script.verdict(SlowGuestsDelayNobody.self), verdict)
    }
  }

  @Test("An alert that was raised is on every open guest's screen within 2 s")
  func alertsArrive() {
    for (guests, verdict) in [([1, 2], Verdict.pass), ([1], .fail)] {
      var script = BeamScript(guests: 2)
      script.open(1)
      script.open(2)
      script.wait(10_000)
      script.show(0, .alertRaised("batteryLow"))
      script.wait(2_000)
      for guest in guests { script.show(guest, .alertShown("batteryLow", isOwn: false)) }
      script.wait(1)
      script.show(0, .guests(count: 2, open: 2))
      equal(script.verdict(AlertsReachAll.self), verdict)
    }
  }

  @Test("A gate opens within 6 s, waits for viability, and lets all finals through")
  func gates() {
    var script = BeamScript()
    script.connect(1)
    script.wait(6_000)
    var late = script
    late.wait(1)
    late.show(0, .guests(count: 1, open: 0))
    equal(late.verdict(GatesOpen.self), .fail)
    script.history(1)
    script.wait(1)
    script.show(0, .guests(count: 1, open: 1))
    equal(script.verdict(GatesOpen.self), .pass)

    var dead = BeamScript()
    dead.connect(1)
    dead.hear(0, .viable(BeamScript.end(1), false))
    dead.wait(4_000)
    dead.history(1)
    equal(dead.verdict(GatesOpen.self), .fail)

    var short = BeamScript()
    short.connect(1)
    short.show(0, .finalShown(sequence: 1, text: "a"))
    short.wait(4_000)
    short.history(1)
    equal(short.verdict(GatesOpen.self), .fail)
  }
}
