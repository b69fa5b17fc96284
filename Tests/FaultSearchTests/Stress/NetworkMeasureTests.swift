import AppSeam
import BeamScribe
import Bench
import Expectations
import Platform
import Testing

@Suite("Measures of hand-written traces of an app on a network")
struct NetworkMeasureTests {
  /// A guest that browses at `order`, finds at + 30, is ready at + 50, and shows the history at + 4 050.
  private func join(_ script: inout NetworkScript, _ guest: Int, order: Int64) {
    script.at(milliseconds: order)
    script.browse(guest)
    script.at(milliseconds: order + 30)
    script.find(guest)
    script.find(guest)
    script.connect(guest)
    script.at(milliseconds: order + 50)
    script.ready(guest)
    script.at(milliseconds: order + 4_049)
    script.report(0, .gateOpened(NetworkScript.accepted(guest), peer: "guest-\(guest)"))
    script.at(milliseconds: order + 4_050)
    script.show(guest)
  }

  @Test("Service, stream and seat count from the orders; the lobby to the last seat; gate and history from ready")
  func joining() throws {
    var script = NetworkScript()
    join(&script, 1, order: 100)
    join(&script, 2, order: 5_000)
    try equal(script.samples("service"), [30, 30])
    try equal(script.samples("stream"), [20, 20])
    try equal(script.samples("seat"), [4_050, 4_050])
    try equal(script.samples("lobby"), [8_950])
    try equal(script.samples("gate"), [3_999, 3_999])
    try equal(script.samples("history"), [4_000, 4_000])
    try equal(script.samples("history-size"), [55, 55])
    try equal(script.samples("lost-streams"), [0])
    try equal(script.samples("unstable-streams"), [0])
    try expect(script.samples("discovery").isEmpty && script.samples("link").isEmpty)
  }

  @Test("Another host's service is none of the leader's, and who stays away has no seat")
  func another() throws {
    var script = NetworkScript()
    script.at(milliseconds: 100)
    script.browse(1)
    script.at(milliseconds: 130)
    script.find(1, "Talk (2)")
    try expect(script.samples("service").isEmpty && script.samples("seat").isEmpty)
    script.at(milliseconds: 140)
    script.find(1)
    try equal(script.samples("service"), [40])
  }

  @Test("Octets are in transit from the send that was taken to the arrival of the last of them, however they are cut")
  func transit() throws {
    var script = NetworkScript()
    join(&script, 1, order: 0)
    script.at(milliseconds: 5_000)
    script.send(1, 100, isTaken: false)
    script.at(milliseconds: 5_040)
    script.input(0, .room(NetworkScript.accepted(1)))
    script.send(1, 100)
    script.at(milliseconds: 5_050)
    script.send(1, 20)
    script.arrive(1, 99)
    script.at(milliseconds: 5_060)
    script.arrive(1, 11)
    script.at(milliseconds: 5_090)
    script.arrive(1, 10)
    try equal(script.samples("transit"), [20, 40])
    try equal(script.samples("queue-full"), [40])
    script.send(1, 20)
    script.at(milliseconds: 9_000)
    try equal(script.samples("transit"), [20, 40], "what never arrives has no sample")
  }

  @Test("Live text counts from the host; what a history brings is late for nobody")
  func text() throws {
    var script = NetworkScript()
    join(&script, 1, order: 0)
    script.at(milliseconds: 6_000)
    script.report(0, .finalShown(sequence: 1, text: "a"))
    script.report(0, .partialShown(sequence: 2, text: "b"))
    script.at(milliseconds: 6_020)
    script.report(1, .packetReceived(NetworkScript.opened, type: "liveChunk", octets: 9))
    script.report(1, .finalShown(sequence: 1, text: "a"))
    script.report(1, .partialShown(sequence: 2, text: "b"))
    script.report(1, .latency(sequence: 1, milliseconds: -3))
    script.at(milliseconds: 9_000)
    script.report(2, .packetReceived(NetworkScript.opened, type: "fullHistory", octets: 9))
    script.report(2, .finalShown(sequence: 1, text: "a"))
    try equal(script.samples("text"), [20])
    try equal(script.samples("text-spread"), [20])
    try equal(script.samples("partial"), [20])
    try equal(script.samples("claimed-latency"), [-3])
  }

  @Test("Who shows LOST returns with its history, after so many attempts; who leaves is not awaited")
  func comeback() throws {
    var script = NetworkScript()
    join(&script, 1, order: 0)
    join(&script, 2, order: 0)
    script.at(milliseconds: 10_000)
    script.input(1, .failed(NetworkScript.opened, .timedOut))
    script.input(0, .failed(NetworkScript.accepted(1), .timedOut))
    script.report(1, .state(BeamState.lost.rawValue))
    script.report(2, .state(BeamState.idle.rawValue))
    script.at(milliseconds: 11_000)
    script.connect(1)
    script.report(1, .state(BeamState.lost.rawValue))
    script.at(milliseconds: 13_000)
    script.connect(1)
    script.at(milliseconds: 17_050)
    script.report(1, .state(BeamState.showing.rawValue))
    script.report(2, .state(BeamState.showing.rawValue))
    try equal(script.samples("return"), [7_050])
    try equal(script.samples("retries"), [2])
    try equal(script.samples("seat"), [4_050, 4_050], "a return is no second seat")
    try equal(script.samples("lost-streams"), [2])
  }

  @Test("Bluetooth off loses no seat of an app whose streams are elsewhere; the end of the app does")
  func bluetooth() throws {
    var script = NetworkScript()
    join(&script, 1, order: 0)
    script.at(milliseconds: 10_000)
    script.add(1, .fault(.radioOff))
    script.add(1, .input(.radioPower(false)))
    script.at(milliseconds: 11_000)
    script.report(1, .state(BeamState.showing.rawValue))
    try expect(script.samples("return").isEmpty)
    script.add(1, .fault(.kill))
    script.at(milliseconds: 12_000)
    script.add(1, .input(.launched))
    script.at(milliseconds: 12_500)
    script.report(1, .state(BeamState.showing.rawValue))
    try equal(script.samples("return"), [1_500])
  }

  @Test("What was sent on a stream that is over in less than 5 s, and how many there were")
  func unstable() throws {
    var script = NetworkScript()
    join(&script, 1, order: 0)
    script.report(0, .packetSent(NetworkScript.accepted(1), type: "fullHistory", octets: 700))
    script.at(milliseconds: 4_900)
    script.input(0, .ended(NetworkScript.accepted(1)))
    script.report(0, .unstable(peer: "guest-1", count: 1))
    try equal(script.samples("unstable-octets"), [700])
    try equal(script.samples("unstable-streams"), [1])
    join(&script, 2, order: 5_000)
    script.at(milliseconds: 10_100)
    script.input(0, .ended(NetworkScript.accepted(2)))
    try equal(script.samples("unstable-octets"), [700])
  }

  @Test("A stream that an app ended is not lost at the other end")
  func orders() throws {
    var script = NetworkScript()
    join(&script, 1, order: 0)
    script.at(milliseconds: 9_000)
    script.effect(1, .cancel(NetworkScript.opened))
    script.input(1, .cancelled(NetworkScript.opened))
    script.input(0, .failed(NetworkScript.accepted(1), .reset))
    try equal(script.samples("lost-streams"), [0])
  }

  @Test("A better path takes from its report to the end of the old stream")
  func better() throws {
    var script = NetworkScript()
    join(&script, 1, order: 0)
    script.at(milliseconds: 9_000)
    script.input(1, .betterPath(NetworkScript.opened, true))
    script.input(1, .ready(ConnectionID(4), .infrastructure))
    script.at(milliseconds: 13_000)
    script.effect(1, .cancel(NetworkScript.opened))
    try equal(script.samples("path-switch"), [4_000])
  }
}
