import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// Propagation, noise, bursts, interferers and capture against what can be computed by hand.
@Suite("Rooms")
struct RoomTests {
  private func link(
    _ environment: RadioEnvironment, apart: Int = 100, seed: UInt64 = 1
  ) throws -> (bench: RadioBench, central: HCI.ConnectionHandle) {
    let configurations = RadioBench.radios(2) { configuration, index in
      configuration.position = Position(x: index * apart, y: 0)
      configuration.adaptsChannels = false
    }
    for attempt in 0..<20 {
      let bench = RadioBench(configurations, environment: environment, seed: seed + UInt64(attempt), wantsAir: true)
      if let (central, _) = bench.connect(1, to: 0, interval: 6, timeout: 3200) {
        bench.run(for: .milliseconds(200))
        if bench.disconnections(of: 0).isEmpty, bench.disconnections(of: 1).isEmpty {
          bench.air.removeAll()
          return (bench, central)
        }
      }
    }
    throw Unconnected()
  }

  /// The central's first PDU of each event: what it sends after a PDU that it could not read may have no listener.
  private static func polls(_ air: [AirPDU]) -> [AirPDU] {
    let central = air.filter { $0.transmitter == 1 }
    return zip(central.dropFirst(), central).filter { $0.start - $1.start > .milliseconds(3) }.map(\.0)
  }

  private struct Unconnected: Error {}

  @Test("Out of range nobody is heard, and back in range a link can be made again")
  func range() throws {
    let (bench, _) = try link(.lossless)
    bench.world.move(1, to: Position(x: 100_000_000, y: 0))
    bench.run(for: .seconds(40))
    equal(bench.disconnections(of: 0).map(\.reason), [.connectionTimeout])
    bench.world.move(1, to: Position(x: 100, y: 0))
    expect(bench.connect(1, to: 0) != nil)
  }

  @Test("An interferer that is always on takes the channels it covers, and no other")
  func interferer() throws {
    var environment = RadioEnvironment.lossless
    environment.interferers = [
      .init(
        name: "access point", position: Position(x: 50, y: 50), spectrum: .flat(12...22), power: 1_000,
        activity: .onOff(meanOn: .seconds(100_000), meanOff: .microseconds(1)))
    ]
    let (bench, _) = try link(environment)
    bench.run(for: .seconds(8))
    let polls = bench.air.filter { $0.transmitter == 1 }
    let hit = polls.filter { (12...22).contains($0.rfChannel) }
    expect(hit.count > 200)
    expect(hit.allSatisfy { $0.fate != .received })
    expect(polls.filter { !(12...22).contains($0.rfChannel) }.allSatisfy { $0.fate == .received })
  }

  @Test("Bursts: losses of a link come in runs")
  func bursts() throws {
    var environment = RadioEnvironment.lossless
    environment.bursts = .init(
      meanGood: .milliseconds(400), meanBad: .milliseconds(100), lossInGood: .never, lossInBad: .always)
    let (bench, _) = try link(environment)
    bench.run(for: .seconds(200))
    let fates = Self.polls(bench.air).map { $0.fate == .received }
    let lost = fates.filter { !$0 }.count
    let runs = zip(fates, fates.dropFirst()).filter { $0 && !$1 }.count
    // 100 ms are 13 events: independent losses of a fifth would come in runs of 1.25.
    expect(lost / max(1, runs) > 8)
  }

  @Test("The longer the PDU, the likelier it is lost, by the power of its bits")
  func lossByLength() throws {
    var environment = RadioEnvironment()
    environment.shadowing = 0
    // One metre apart at 0 dBm the level is −40.2 dBm: 10.5 dB over this noise.
    environment.noiseFloor = -4_020 - 1_050
    let (bench, central) = try link(environment, apart: 100)
    var long = (sent: 0, lost: 0)
    for _ in 0..<1_500 {
      bench.send(1, central, [UInt8](repeating: 1, count: 27))
      bench.run(for: .milliseconds(60))
    }
    var short = (sent: 0, lost: 0)
    for pdu in Self.polls(bench.air) {
      let isLost = pdu.fate != .received
      if pdu.pdu.count == 29 { long = (long.sent + 1, long.lost + (isLost ? 1 : 0)) }
      if pdu.pdu.count == 2 { short = (short.sent + 1, short.lost + (isLost ? 1 : 0)) }
    }
    let expectedShort = 1_000 - Int(BitErrors.survival(signalToNoise: 10.5, payload: 0) * 1_000)
    let expectedLong = 1_000 - Int(BitErrors.survival(signalToNoise: 10.5, payload: 27) * 1_000)
    expect(short.sent > 5_000 && long.sent > 1_500)
    expect(abs(short.lost * 1_000 / short.sent - expectedShort) < 15)
    expect(abs(long.lost * 1_000 / long.sent - expectedLong) < 40)
  }

  @Test("Capture: the nearer of two devices that answer at once gets through", arguments: [true, false])
  func capture(isNear: Bool) {
    var got = 0
    var collided = 0
    for seed in 0..<30 {
      let bench = RadioBench(
        RadioBench.radios(3) { configuration, index in
          // At a quarter of the distance a device is 12 dB stronger, more than the capture threshold of 10 dB.
          configuration.position =
            [
              Position(x: 0, y: 0), Position(x: isNear ? 100 : 400, y: 0), Position(x: -400, y: 0),
            ][index]
        }, seed: UInt64(seed), wantsAir: true)
      bench.command(1, .leCreateConnection(RadioBench.creation(0)))
      bench.command(2, .leCreateConnection(RadioBench.creation(0)))
      bench.advertise(0)
      bench.run(for: .milliseconds(100))
      let connects = bench.air.filter { $0.accessAddress == LL.advertisingAccessAddress && $0.pdu[0] & 0x0F == 5 }
      guard connects.count >= 2, connects[0].start == connects[1].start else { continue }
      collided += 1
      let near = connects.first { $0.transmitter == 1 }
      if near?.fate == .received { got += 1 }
    }
    expect(collided > 3)
    equal(got, (isNear ? collided : 0))
  }
}
