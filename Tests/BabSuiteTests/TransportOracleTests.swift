import AppSeam
import BabOracles
import BabSim
import Bench
import Conformance
import Expectations
import Judging
import Platform
import SimKernel
import Testing

@Suite("Oracles of values and fragments, by hand-written traces")
struct TransportOracleTests {
  private func linked() -> TraceScript {
    var script = TraceScript()
    script.connect(1)
    return script
  }

  @Test("A fragment of ATT_MTU - 3 octets fits, one more does not, and ATT_MTU is 23 until the app is told")
  func fragments() {
    var script = linked()
    script.notify(1, Array(repeating: 0, count: 20))
    equal(script.result(FragmentsFitATTMTU.self).verdict, .pass)
    script.notify(1, Array(repeating: 0, count: 21))
    let result = script.result(FragmentsFitATTMTU.self)
    equal(result.verdict, .fail)
    equal(result.findings.first?.expected, "at most 20 octets at ATT_MTU 23")
    equal(result.findings.first?.record, script.records.count - 2)

    script = linked()
    script.add(0, .input(.attMTU(LinkID(11), 185)))
    script.notify(1, Array(repeating: 0, count: 182))
    equal(script.result(FragmentsFitATTMTU.self).verdict, .pass)
    script.notify(1, Array(repeating: 0, count: 183))
    equal(script.result(FragmentsFitATTMTU.self).verdict, .fail)
  }

  @Test("Fragments with a header that no receiver takes fail, and texts that are no packet")
  func packets() throws {
    let text = BabPacket(
      type: .heartbeat, senderID: "zoë", vectorClock: VectorClock(), payload: .heartbeat
    ).encoded()
    func judge(_ values: [[UInt8]]) -> OracleResult {
      var script = linked()
      script.add(0, .input(.attMTU(LinkID(11), 185)))
      for value in values { script.notify(1, value) }
      return script.result(FragmentsMakePackets.self)
    }
    let whole = judge([[0, 1, 0, 1] + text])
    expect(whole.verdict == .pass && whole.judged == 1)
    // A value that was refused is handed over again.
    let again = judge([[0, 1, 0, 2] + text[..<40], [0, 1, 1, 2] + text[40...], [0, 1, 1, 2] + text[40...]])
    expect(again.verdict == .pass && again.judged == 1)
    equal(judge([[0, 1, 0, 2] + text[..<40], [0, 2, 0, 1] + text]).judged, 1)
    equal(judge([text, Array(text.prefix(20))]).verdict, .none)

    let short = judge([[0, 1, 0, 1] + text.dropLast()])
    equal(short.verdict, .fail)
    let actual = try required(short.findings.first).actual
    expect(actual.contains("packet 1 of 1 with \(text.count - 1) octets of text, which is none: unexpected end"))
    expect(actual.hasSuffix("characters of more than one octet account for 1 of its octets"))
    equal(judge([[0, 1, 1, 1] + text]).findings.first?.actual, "index 1 of 1, in packet 1")
    equal(judge([[0, 1, 1, 1] + text, [0, 1, 2, 1] + text]).findings.count, 1)
    equal(judge([[0, 1, 0]]).findings.first?.actual, "3 octets")
    equal(judge([[0, 1, 0, 1] + text, text]).findings.first?.expected.contains("BAB 3.1"), true)
    // It is cut by its platform: too long is another claim.
    equal(judge([[0, 1, 0, 1] + text + Array(repeating: 0x20, count: 40) + [0x21]]).verdict, .none)
  }

  @Test("Values that arrive in order pass; nothing sent is nothing judged")
  func inOrder() {
    var script = linked()
    equal(script.result(NothingSentIsLost.self).verdict, .none)
    for value in UInt8(0)..<5 { script.notify(1, [value]) }
    for value in UInt8(0)..<5 { script.arrive(1, [value]) }
    equal(script.result(NothingSentIsLost.self).verdict, .pass)
    equal(script.result(NothingSentIsLost.self).judged, 5)
  }

  @Test("A value that is overtaken, comes twice, was refused or was never sent fails", arguments: 0..<4)
  func outOfOrder(fault: Int) {
    var script = linked()
    script.notify(1, [1])
    script.notify(1, [2])
    script.notify(1, [3], accepted: false)
    script.arrive(1, fault == 0 ? [2] : [1])
    switch fault {
    case 1: script.arrive(1, [1])
    case 2:
      script.arrive(1, [2])
      script.arrive(1, [3])
    case 3: script.arrive(1, [9])
    default: break
    }
    let result = script.result(NothingSentIsLost.self)
    equal(result.verdict, .fail)
    equal(result.findings.count, 1)
  }

  @Test("A message fault excuses the value that it names", arguments: MessageFault.allCases)
  func excused(fault: MessageFault) {
    var script = linked()
    for value in UInt8(1)...3 { script.notify(1, [value]) }
    script.add(0, .fault(.message(fault, LinkID(11), characteristic: TraceScript.characteristic, octets: [1])))
    switch fault {
    case .drop: break
    case .duplicate: [[1], [1]].forEach { script.arrive(1, $0) }
    case .corrupt: script.arrive(1, [0x81])
    case .reorder: break
    }
    script.arrive(1, [2])
    if fault == .reorder { script.arrive(1, [1]) }
    script.arrive(1, [3])
    equal(script.result(NothingSentIsLost.self).verdict, .pass)
    // Only once, and only that one.
    script.arrive(1, [3])
    equal(script.result(NothingSentIsLost.self).verdict, .fail)
  }

  @Test("What was under way when the link ended is not asked for, on the next link either")
  func linkEnds() {
    var script = linked()
    script.notify(1, [1])
    script.disconnect(1)
    script.connect(1, link: 2)
    script.wait(60_000)
    equal(script.result(NothingSentIsLost.self).verdict, .none)
  }

  @Test("The links of an app that the system has ended are judged on after its next launch", arguments: [0, 1])
  func reclaimed(device: Int) {
    var script = linked()
    script.notify(1, [1])
    script.notify(1, [2])
    script.arrive(1, [1])
    script.add(device, .fault(.reclaim))
    script.add(device, .input(.launched))
    script.arrive(1, [2])
    equal(script.result(NothingSentIsLost.self).verdict, .pass)
    equal(script.result(NothingSentIsLost.self).judged, 2)
    script.notify(1, [3])
    script.notify(1, [4])
    script.arrive(1, [4])
    equal(script.result(NothingSentIsLost.self).verdict, .fail)
  }

  @Test("A value that does not come while the link is up is open, however long that lasts; a later one proves its loss")
  func neverArrives() {
    var script = linked()
    script.notify(1, [1])
    script.wait(600_000)
    equal(script.result(NothingSentIsLost.self).verdict, .inconclusive)
    equal(script.result(NothingSentIsLost.self).open, 1)
    script.notify(1, [2])
    script.arrive(1, [2])
    equal(script.result(NothingSentIsLost.self).verdict, .fail)
  }

  @Test("A whole packet must be taken or refused before anything else happens to the app")
  func ignoredPacket() {
    let packet: [UInt8] = [0, 1, 0, 1, 0x7B]
    var script = linked()
    script.notify(1, packet)
    script.arrive(1, packet)
    script.report(1, .packetReceived(LinkID(1), type: "HEARTBEAT", senderID: "h", json: "{}"))
    equal(script.result(NothingSentIsLost.self).verdict, .pass)
    let next: [UInt8] = [0, 2, 0, 1, 0x7B]
    script.notify(1, next)
    script.arrive(1, next)
    equal(script.result(NothingSentIsLost.self).verdict, .fail)
  }

  @Test(
    "A packet whose number was begun with before, or used out of order, may be dropped without a word",
    arguments: [[0, 1, 0, 5, 0x7B], [0, 1, 3, 5, 0x7B], [0, 1, 0, 0]] as [[UInt8]])
  func doubtfulNumber(before: [UInt8]) {
    var script = linked()
    for value in [before, [0, 1, 0, 1, 0x7B]] {
      script.notify(1, value)
      script.arrive(1, value)
    }
    equal(script.result(NothingSentIsLost.self).verdict, .pass)
    let next: [UInt8] = [0, 2, 0, 1, 0x7B]
    script.notify(1, next)
    script.arrive(1, next)
    equal(script.result(NothingSentIsLost.self).verdict, .fail)
  }

  @Test("A packet counts as sent once all its fragments were accepted, and not before")
  func claims() {
    var script = linked()
    script.notify(1, [1])
    script.notify(1, [2], accepted: false)
    script.notify(1, [2])
    script.report(0, .packetSent(LinkID(11), type: "X", sequence: 0, fragments: 2))
    equal(script.result(NothingReportedSentThatWasNot.self).verdict, .pass)
    script.notify(1, [3])
    script.notify(1, [4], accepted: false)
    script.report(0, .packetSent(LinkID(11), type: "X", sequence: 1, fragments: 2))
    equal(script.result(NothingReportedSentThatWasNot.self).verdict, .fail)
  }

  @Test("A write with response counts once it was answered without an error")
  func claimedWrites() {
    var script = linked()
    script.add(1, .effect(.write(LinkID(1), characteristic: TraceScript.characteristic, octets: [1])))
    script.add(1, .input(.writeCompleted(LinkID(1), characteristic: TraceScript.characteristic, error: 0x0E)))
    script.report(1, .packetSent(LinkID(1), type: "X", sequence: 0, fragments: 1))
    equal(script.result(NothingReportedSentThatWasNot.self).verdict, .fail)
  }

  @Test("A write that was answered must have arrived")
  func answeredWrites() {
    var script = linked()
    script.add(1, .effect(.write(LinkID(1), characteristic: TraceScript.characteristic, octets: [1])))
    var arrived = script
    script.add(1, .input(.writeCompleted(LinkID(1), characteristic: TraceScript.characteristic, error: nil)))
    equal(script.result(NothingSentIsLost.self).verdict, .fail)
    arrived.add(
      0, .input(.valueReceived(LinkID(11), characteristic: TraceScript.characteristic, octets: [1])))
    arrived.add(1, .input(.writeCompleted(LinkID(1), characteristic: TraceScript.characteristic, error: nil)))
    equal(arrived.result(NothingSentIsLost.self).verdict, .pass)
  }

  @Test("A clock entry that grows passes; one that shrinks or disappears fails; a new run starts afresh")
  func clocks() {
    var script = linked()
    script.report(1, .vectorClock([ClockEntry(peerID: "h", count: 3), ClockEntry(peerID: "c1", count: 1)]))
    script.report(1, .vectorClock([ClockEntry(peerID: "c1", count: 2), ClockEntry(peerID: "h", count: 3)]))
    equal(script.result(VectorClocksNeverGoBack.self).verdict, .pass)
    var lost = script
    lost.report(1, .vectorClock([ClockEntry(peerID: "c1", count: 2)]))
    equal(lost.result(VectorClocksNeverGoBack.self).verdict, .fail)
    var smaller = script
    smaller.report(1, .vectorClock([ClockEntry(peerID: "c1", count: 1), ClockEntry(peerID: "h", count: 3)]))
    equal(smaller.result(VectorClocksNeverGoBack.self).verdict, .fail)
    script.add(1, .input(.launched))
    script.report(1, .vectorClock([ClockEntry(peerID: "c1", count: 1)]))
    equal(script.result(VectorClocksNeverGoBack.self).verdict, .pass)
  }

  @Test("A run that stops at a limit fails", arguments: [RunOutcome.Ending.simulatedTimeLimit, .eventLimit])
  func limits(ending: RunOutcome.Ending) {
    let script = linked()
    equal(script.result(NoCrashNoHang.self).verdict, .pass)
    equal(script.result(NoCrashNoHang.self, ending: ending).verdict, .fail)
  }
}
