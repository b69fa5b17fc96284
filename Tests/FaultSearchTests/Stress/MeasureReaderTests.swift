import AppSeam
import BabSim
import BluetoothWire
import Expectations
import Testing

@testable import Stress

@Suite("Measures of hand-written traces")
struct MeasureReaderTests {
  private func join(_ script: inout MeasureScript, _ client: Int, order: Int64, found: Int64, up: Int64, seat: Int64) {
    script.at(milliseconds: order)
    script.effect(client, .scan(services: []))
    script.at(milliseconds: found)
    for _ in 0..<2 {
      script.input(
        client,
        .discovered(
          Advertisement(address: MeasureScript.address(0), localName: nil, serviceUUIDs: [], rssi: -40)))
    }
    script.effect(client, .connect(MeasureScript.address(0)))
    script.at(milliseconds: up)
    script.connect(client)
    script.at(milliseconds: seat)
    script.report(client, .linkState("CONNECTED"))
  }

  @Test("Discovery, link and seat count from the orders; the lobby from the first order to the last seat")
  func joining() throws {
    var script = MeasureScript()
    join(&script, 1, order: 100, found: 130, up: 150, seat: 400)
    join(&script, 2, order: 410, found: 450, up: 500, seat: 900)
    try equal(script.samples("discovery"), [30, 40])
    try equal(script.samples("link"), [20, 50])
    try equal(script.samples("seat"), [300, 490])
    try equal(script.samples("lobby"), [800])
  }

  @Test("A lobby that one stays away from has no sample")
  func absent() throws {
    var script = MeasureScript()
    join(&script, 1, order: 100, found: 130, up: 150, seat: 400)
    script.at(milliseconds: 60_000)
    script.effect(2, .scan(services: []))
    try expect(script.samples("lobby").isEmpty)
    try equal(script.samples("seat"), [300])
  }

  @Test("A packet takes from its first value, offered for the first time, to the arrival of its last one")
  func delivery() throws {
    var script = MeasureScript()
    join(&script, 1, order: 0, found: 10, up: 20, seat: 30)
    script.at(milliseconds: 100)
    script.notify(1, MeasureScript.fragment(7, 0, of: 2), isTaken: false)
    script.at(milliseconds: 140)
    script.input(0, .readyToSend(MeasureScript.link(1)))
    script.notify(1, MeasureScript.fragment(7, 0, of: 2))
    script.notify(1, MeasureScript.fragment(7, 1, of: 2))
    script.at(milliseconds: 150)
    script.notify(1, MeasureScript.fragment(8, 0, of: 1))
    script.arrive(1, MeasureScript.fragment(7, 0, of: 2))
    script.at(milliseconds: 190)
    script.arrive(1, MeasureScript.fragment(7, 1, of: 2))
    script.arrive(1, MeasureScript.fragment(8, 0, of: 1))
    try equal(script.samples("delivery"), [40, 90])
    try equal(script.samples("queue-full"), [40])
    try equal(script.samples("undelivered"), [0])
    script.notify(1, MeasureScript.fragment(9, 0, of: 1))
    script.disconnect(1)
    try equal(script.samples("undelivered"), [1])
    try equal(script.samples("lost-links"), [2])
  }

  @Test("A number that comes round again is another packet")
  func again() throws {
    var script = MeasureScript()
    join(&script, 1, order: 0, found: 10, up: 20, seat: 30)
    let packet = MeasureScript.fragment(7, 0, of: 1)
    script.at(milliseconds: 100)
    script.notify(1, packet)
    script.at(milliseconds: 110)
    script.notify(1, packet)
    script.at(milliseconds: 130)
    script.arrive(1, packet)
    script.arrive(1, packet)
    try equal(script.samples("delivery"), [20, 30])
  }

  @Test("Turns and lines count from the leader; the spread from the first to the last")
  func things() throws {
    var script = MeasureScript()
    join(&script, 1, order: 0, found: 1, up: 2, seat: 3)
    join(&script, 2, order: 3, found: 4, up: 5, seat: 6)
    script.at(milliseconds: 100)
    script.report(0, .screen(ScreenLine(lineID: "a", text: nil)))
    script.at(milliseconds: 120)
    script.report(1, .screen(ScreenLine(lineID: "a", text: nil)))
    script.report(1, .screen(ScreenLine(lineID: "a", text: "again")))
    script.at(milliseconds: 170)
    script.report(2, .screen(ScreenLine(lineID: "a", text: nil)))
    script.report(0, .committed(index: 0, lineID: "a", text: ""))
    try equal(script.samples("turn"), [20, 70])
    try equal(script.samples("turn-spread"), [70])
    try expect(script.samples("line").isEmpty && script.samples("line-spread").isEmpty)
  }

  @Test("Who loses the link returns when it has its seat again, and catches up with the newest line")
  func comeback() throws {
    var script = MeasureScript()
    join(&script, 1, order: 0, found: 1, up: 2, seat: 3)
    script.at(milliseconds: 1_000)
    script.disconnect(1)
    script.at(milliseconds: 1_500)
    script.report(0, .committed(index: 0, lineID: "a", text: ""))
    script.connect(1)
    script.at(milliseconds: 1_700)
    script.report(1, .linkState("CONNECTED"))
    script.at(milliseconds: 1_900)
    script.report(1, .historyReplaced(["a"]))
    try equal(script.samples("return"), [700])
    try equal(script.samples("catch-up"), [900])
    try equal(script.samples("seat"), [3], "a return is no second seat")
  }

  @Test("Who leaves by order has lost nothing")
  func leaving() throws {
    var script = MeasureScript()
    join(&script, 1, order: 0, found: 1, up: 2, seat: 3)
    script.effect(1, .disconnect(LinkID(1)))
    script.disconnect(1, .connectionTerminatedByLocalHost)
    script.at(milliseconds: 1_700)
    script.report(1, .linkState("CONNECTED"))
    try expect(script.samples("return").isEmpty && script.samples("catch-up").isEmpty)
    try equal(script.samples("lost-links"), [0])
  }

  @Test("Shares and rates of a run")
  func shares() throws {
    var script = MeasureScript()
    join(&script, 1, order: 0, found: 1, up: 1_000, seat: 1_000)
    script.arrive(1, Array(repeating: 0, count: 250))
    script.at(milliseconds: 3_000)
    try equal(script.samples("goodput"), [1_000], "250 octets in two seconds")
    try equal(script.samples("missed-events"), [25_000])
    try equal(script.samples("pdu-loss"), [1_000])
  }
}
