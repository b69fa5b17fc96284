import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// Design, section 4: idle connection events are skipped with results identical to stepping through.
@Suite("Skipping idle connection events")
struct ParkingTests {
  /// A lobby with random traffic in bursts and long silences; returns all that can be observed.
  private func lobby(seed: UInt64, steps: Bool, drift: Bool) -> (RadioWorld.Statistics, TraceDigest, String) {
    let bench = RadioBench(
      RadioBench.radios(8) { configuration, index in
        if drift { configuration.clockPartsPerMillion = index * 3 - 10 }
      }, seed: seed, stepsIdleEvents: steps)
    var links: [(central: HCI.ConnectionHandle, peripheral: HCI.ConnectionHandle)] = []
    for central in 1..<8 {
      guard let link = bench.connect(central, to: 0, interval: central % 3 == 0 ? 24 : 36) else { continue }
      links.append(link)
    }
    var stream = RandomStream(seed: seed, component: "test", purpose: "traffic")
    for _ in 0..<60 {
      bench.run(for: .nanoseconds(Int64(stream.below(3_000_000_000))))
      let which = Int(stream.below(UInt64(links.count)))
      let octets = [UInt8](repeating: UInt8(which), count: 1 + Int(stream.below(200)))
      if stream.below(2) == 0 {
        bench.send(0, links[which].peripheral, octets)
      } else {
        bench.send(which + 1, links[which].central, octets)
      }
      if stream.below(20) == 0 { bench.world.setRadio(Int(stream.below(8)), isOn: false) }
    }
    bench.run(for: .seconds(10))
    bench.world.settle()
    var seen = ""
    for device in 0..<8 {
      for (at, data) in bench.received[device] { seen += "\(device) \(at) \(data.handle) \(data.octets.count)\n" }
      for (at, event) in bench.events[device] { seen += "\(device) \(at) \(event)\n" }
    }
    return (bench.world.statistics, bench.world.digest, seen)
  }

  @Test("Seven links with traffic, silences and a radio that falls silent: skipping changes nothing", arguments: 1...12)
  func equalsStepping(seed: Int) {
    for drift in [false, true] {
      let stepped = lobby(seed: UInt64(seed), steps: true, drift: drift)
      let skipped = lobby(seed: UInt64(seed), steps: false, drift: drift)
      equal(stepped.2, skipped.2)
      equal(stepped.1, skipped.1)
      equal(stepped.0.connectionEvents, skipped.0.connectionEvents)
      equal(stepped.0.pdusSent, skipped.0.pdusSent)
      equal(stepped.0.skippedConnectionEvents, 0)
      expect(skipped.0.skippedConnectionEvents > skipped.0.connectionEvents / 10)
    }
  }

  /// Four idle links of one peripheral, and two centrals that want one at the same time, again and again: nobody hears
  /// either, and each sends alone on a link that its peripheral does not know of.
  private func rush(steps: Bool) -> (collisions: Int, skipped: Int, digest: TraceDigest) {
    let bench = RadioBench(
      RadioBench.radios(7) { configuration, index in configuration.clockPartsPerMillion = index * 5 - 15 },
      seed: 1, stepsIdleEvents: steps)
    for central in 1...4 { _ = bench.connect(central, to: 0, interval: 12) }
    for _ in 0..<400 {
      bench.advertise(0)
      for central in 5...6 { bench.command(central, .leCreateConnection(RadioBench.creation(0, interval: 80))) }
      bench.run(for: .seconds(1))
      for central in 5...6 {
        bench.command(central, .leCreateConnectionCancel)
        for handle in bench.openHandles(of: central) {
          bench.command(central, .disconnect(handle, reason: .remoteUserTerminatedConnection))
        }
      }
      bench.run(for: .milliseconds(300))
    }
    bench.world.settle()
    return (bench.world.collisions, bench.world.statistics.skippedConnectionEvents, bench.world.digest)
  }

  @Test("A central that sends on a link that its peripheral does not know of meets the links that are skipped")
  func linksKnownToOneEnd() {
    let stepped = rush(steps: true)
    let skipped = rush(steps: false)
    expect(skipped.skipped > 1_000)
    equal(stepped.collisions, skipped.collisions)
    equal(stepped.digest, skipped.digest)
  }
}
