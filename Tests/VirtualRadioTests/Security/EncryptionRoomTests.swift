import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Encryption where PDUs are lost, events are skipped, and links share a radio.
@Suite("Encryption in rooms")
struct EncryptionRoomTests {
  /// Two channels of three are noise half of the time, for two milliseconds at once; advertising is not.
  private static let lossy = RadioEnvironment.noisy(on: 13...38)

  @Test("Losses during the procedures: retransmissions are the same octets, and it ends well", arguments: 1...12)
  func lossy(seed: Int) throws {
    let link = try EncryptionBench(environment: Self.lossy, seed: UInt64(seed), interval: 12, timeout: 3_200)
    let lost = link.bench.world.statistics.pdusLost
    link.bench.air.removeAll()
    var sent: [[UInt8]] = [[], []]
    for round in 0..<8 {
      for device in 0..<2 {
        let octets = [UInt8](repeating: UInt8(round), count: 40)
        link.bench.send(device, device == 1 ? link.central : link.peripheral, octets)
        sent[device] += octets
      }
      if round % 2 == 0 { link.enable() }
      link.bench.run(for: .milliseconds(150))
    }
    link.bench.run(for: .seconds(5))
    equal(link.encryption(1), Array(repeating: .success, count: 4))
    equal(link.encryption(0), Array(repeating: .success, count: 4))
    expect(link.received(0) == sent[1] && link.received(1) == sent[0])
    expect(link.reasons(0).isEmpty && link.reasons(1).isEmpty)
    expect(link.bench.world.statistics.pdusLost > lost)
    // SN stays the same until the PDU is acknowledged, and so do the octets behind it.
    var repeated = 0
    for device in 0..<2 {
      let mine = link.bench.air.filter { $0.transmitter == device && $0.accessAddress != LL.advertisingAccessAddress }
      for (before, after) in zip(mine, mine.dropFirst())
      where before.pdu[0] & 8 == after.pdu[0] & 8 && before.pdu[1] > 0 {
        equal(before.pdu.dropFirst(), after.pdu.dropFirst())
        repeated += 1
      }
    }
    expect(repeated > 0)
  }

  @Test("Two runs of one seed put the same ciphertext on the air; another seed another")
  func repeats() throws {
    func run(_ seed: UInt64) throws -> (TraceDigest, [[UInt8]]) {
      let link = try EncryptionBench(seed: seed)
      try link.encrypt()
      link.bench.send(1, link.central, [1, 2, 3, 4, 5, 6])
      link.bench.run(for: .seconds(1))
      return (link.bench.world.digest, link.fresh.map(\.pdu))
    }
    let (first, again, other) = (try run(1), try run(1), try run(2))
    expect(first.0 == again.0 && first.1 == again.1)
    expect(first.1.last != other.1.last)
  }

  /// Eight devices, seven links to one; links are encrypted, refreshed and used, with silences between.
  private func lobby(seed: UInt64, steps: Bool) -> (RadioWorld.Statistics, TraceDigest, String) {
    let bench = RadioBench(RadioBench.radios(8), seed: seed, stepsIdleEvents: steps)
    var stream = RandomStream(seed: seed, component: "test", purpose: "traffic")
    bench.onMessage = { [unowned bench] device, message in
      guard case .event(.encryption(.leLongTermKeyRequest(let handle, _, _))) = message else { return }
      bench.world.controllers[device].submit(
        .security(.leLongTermKeyRequestReply(handle, longTermKey: EncryptionBench.key)))
    }
    var links: [(central: HCI.ConnectionHandle, peripheral: HCI.ConnectionHandle)] = []
    for central in 1..<8 {
      if let link = bench.connect(central, to: 0, interval: central % 3 == 0 ? 24 : 36) { links.append(link) }
    }
    for _ in 0..<80 {
      bench.run(for: .nanoseconds(Int64(stream.below(2_000_000_000))))
      let which = Int(stream.below(UInt64(links.count)))
      let octets = [UInt8](repeating: UInt8(which), count: 1 + Int(stream.below(200)))
      switch stream.below(3) {
      case 0: bench.send(0, links[which].peripheral, octets)
      case 1: bench.send(which + 1, links[which].central, octets)
      default:
        bench.command(
          which + 1,
          .security(
            .leEnableEncryption(
              links[which].central, random: 0, diversifier: 0, longTermKey: EncryptionBench.key)))
      }
    }
    bench.run(for: .seconds(70))
    bench.world.settle()
    var seen = ""
    for device in 0..<8 {
      for (at, data) in bench.received[device] { seen += "\(device) \(at) \(data.handle) \(data.octets)\n" }
      for (at, event) in bench.events[device] { seen += "\(device) \(at) \(event)\n" }
    }
    return (bench.world.statistics, bench.world.digest, seen)
  }

  @Test("Seven encrypted links: skipping idle events changes nothing", arguments: 1...6)
  func parking(seed: Int) {
    let stepped = lobby(seed: UInt64(seed), steps: true)
    let skipped = lobby(seed: UInt64(seed), steps: false)
    equal(stepped.2, skipped.2)
    equal(stepped.1, skipped.1)
    equal(stepped.0.connectionEvents, skipped.0.connectionEvents)
    equal(stepped.0.pdusSent, skipped.0.pdusSent)
    expect(skipped.0.skippedConnectionEvents > skipped.0.connectionEvents / 10)
    expect(stepped.2.contains("encryptionKeyRefreshComplete"))
  }
}
