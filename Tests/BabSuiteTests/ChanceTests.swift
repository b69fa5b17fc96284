import AppSeam
@testable import BabOracles
import BabSim
import Bench
import BluetoothWire
@testable import Conformance
import Expectations
import Platform
import SimKernel
import Testing

@Suite("Chances: the time in which something could have happened")
struct ChanceTests {
  /// How long the link of client 1 has had a chance at the end of a trace, in milliseconds.
  private func openTime(_ script: TraceScript, upTo end: Int64) -> Int64 {
    let state = BabRunState(header: script.header)
    for record in script.records { state.apply(record) }
    let now = SimInstant.zero + .milliseconds(end)
    return state.devices[1].links.last.map { $0.chance.openTime(at: now).nanoseconds / 1_000_000 } ?? -1
  }

  @Test("A link has one from when both ends are up until one ends")
  func bothEnds() {
    var script = TraceScript(clients: 1)
    script.add(1, .input(.connected(LinkID(1), peer: TraceScript.address(0))))
    script.wait(500)
    equal(openTime(script, upTo: 500), 0)
    script.add(0, .input(.connected(LinkID(11), peer: TraceScript.address(1))))
    equal(openTime(script, upTo: 800), 300)
    script.wait(1_000)
    script.add(0, .input(.disconnected(LinkID(11), reason: .connectionTimeout)))
    equal(openTime(script, upTo: 5_000), 1_000)
  }

  @Test("It has none while a value is under way, refused without room since, or asked and not answered")
  func underWay() {
    var script = TraceScript(clients: 1)
    script.connect(1)
    script.notify(1, [1])
    script.wait(700)
    equal(openTime(script, upTo: 700), 0)
    script.arrive(1, [1])
    script.wait(100)
    script.notify(1, [2], accepted: false)
    script.wait(400)
    equal(openTime(script, upTo: 1_200), 100)
    script.add(0, .input(.readyToSend(LinkID(11))))
    script.wait(50)
    script.add(1, .effect(.write(LinkID(1), characteristic: TraceScript.characteristic, octets: [3])))
    script.wait(600)
    equal(openTime(script, upTo: 1_850), 150)
    script.add(1, .input(.writeCompleted(LinkID(1), characteristic: TraceScript.characteristic, error: nil)))
    equal(openTime(script, upTo: 2_000), 300)
  }

  @Test(
    "It has none while a phone cannot be reached or does not let its app run",
    arguments: [(FaultEvent.vanish, FaultEvent.appear), (.background, .foreground)])
  func phones(_ begin: FaultEvent, _ end: FaultEvent) {
    for device in 0...1 {
      var script = TraceScript(clients: 1)
      script.connect(1)
      script.wait(100)
      script.add(device, .fault(begin))
      script.wait(1_000)
      script.add(device, .fault(end))
      equal(openTime(script, upTo: 1_300), 300, "\(begin) of device \(device)")
    }
  }

  @Test("Links of the app before belong to each other, and a new end to a new end")
  func inheritedLinks() {
    var script = TraceScript(clients: 1)
    script.connect(1)
    script.wait(1_000)
    script.add(0, .fault(.kill))
    script.add(0, .fault(.relaunch))
    script.add(0, .input(.launched))
    script.add(0, .input(.connected(LinkID(11), peer: TraceScript.address(1))))
    script.wait(10)
    script.add(1, .input(.disconnected(LinkID(1), reason: .remoteUserTerminatedConnection)))
    script.wait(10)
    // The old end of the host is still up.
    script.connect(1, link: 2)
    let state = BabRunState(header: script.header)
    for record in script.records { state.apply(record) }
    equal(state.devices[1].links.last?.partner?.id, LinkID(12))
    equal(state.devices[0].links.first?.isInherited, true)
  }

  @Test("An obligation is due when its chance has been open for its bound")
  func obligations() {
    let chance = Chance()
    equal(chance.openTime(at: .zero + .seconds(9)), .zero)
    let never = Obligation(chance, within: .seconds(1), from: .zero)
    equal(never.deadline, .distantFuture)
    expect(!never.isDue(at: .zero + .seconds(1_000)))
  }
}
