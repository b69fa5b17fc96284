import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Vol 6, Part B, 4.4.2.5, 4.4.4, 4.5; and what extended PDUs do to others.
@Suite("Connections by extended PDUs, and their neighbours")
struct ExtendedConnectionTests {
  @Test("A connection begins on the secondary PHY, with algorithm #2 and the parameters of that PHY")
  func connects() throws {
    for phy in [LL.AirPHY.le1M, .le2M] {
      let bench = RadioBench(RadioBench.radios(2), wantsAir: true)
      bench.advertise(
        0,
        ExtendedAdvertising(
          properties: .connectable, data: [UInt8](repeating: 3, count: 200), secondaryPHY: .init(phy.rawValue)))
      bench.initiate(1, to: 0)
      bench.run(for: .seconds(2))
      let central = try required(bench.connections(of: 1).first)
      let peripheral = try required(bench.connections(of: 0).first)
      expect(central.interval == (phy == .le2M ? 36 : 24) && central.peer == RadioBench.address(0))
      expect(peripheral.role == .peripheral && peripheral.peer == RadioBench.address(1))
      for (device, handle) in [(0, peripheral.handle), (1, central.handle)] {
        expect(bench.events[device].contains { $0.event == .leChannelSelectionAlgorithm(handle, algorithm: 1) })
      }
      let end = HCI.AdvertisingSetTerminated(
        status: .success, set: 0, connection: peripheral.handle, completedEvents: 0)
      expect(
        bench.events[0].contains {
          if case .extended(.leAdvertisingSetTerminated(var got)) = $0.event {
            got.completedEvents = 0
            return got == end
          }
          return false
        })
      let request = try required(bench.air.first { $0.pdu[0] & 0x0F == 5 })
      let answer = try required(bench.sent(.auxConnectRsp).first)
      expect(request.phy == phy && answer.air.phy == phy && request.rfChannel == answer.air.rfChannel)
      equal(answer.air.start, request.start + request.duration + .microseconds(150))
      expect(answer.pdu.target == RadioBench.address(1) && answer.pdu.advertiser == RadioBench.address(0))
      // The window begins 2.5 ms after the request.
      let connect = try LL.ConnectInd(decoding: request.pdu)
      let first = try required(bench.air.first { $0.accessAddress == connect.accessAddress })
      let wait = first.start - (request.start + request.duration)
      let earliest = SimDuration.microseconds(2_500 + 1_250 * Int64(connect.windowOffset))
      expect(first.phy == phy && wait >= earliest)
      expect(wait <= earliest + .microseconds(1_250 * Int64(connect.windowSize)))
      bench.send(1, central.handle, [3, 0, 4, 0, 2, 23, 0])
      bench.run(for: .seconds(1))
      equal(bench.received[0].count, 1)
      expect(bench.disconnections(of: 0).isEmpty && bench.disconnections(of: 1).isEmpty)
    }
  }

  @Test("Whoever uses legacy commands neither hears extended PDUs nor connects to them")
  func legacyHosts() {
    let bench = RadioBench(RadioBench.radios(3))
    bench.advertise(0, ExtendedAdvertising(properties: .connectable, data: [1]))
    bench.command(1, .leSetScanParameters(.init(isActive: true, interval: 96, window: 96)))
    bench.command(1, .leSetScanEnable(true, filterDuplicates: false))
    bench.command(2, .leCreateConnection(RadioBench.creation(0)))
    bench.events[1].removeAll()
    bench.run(for: .seconds(5))
    expect(bench.events[1].isEmpty && bench.connections(of: 2).isEmpty)
  }

  @Test("An initiator connects to its peer alone, and on LE 1M alone where it has no other PHY")
  func filters() {
    let bench = RadioBench(RadioBench.radios(3) { configuration, index in configuration.supports2M = index != 2 })
    bench.advertise(0, ExtendedAdvertising(properties: .connectable, secondaryPHY: .le2M))
    bench.initiate(2, to: 0, phys: .le1M)
    bench.initiate(1, to: 2)
    bench.run(for: .seconds(5))
    expect((0...2).allSatisfy { bench.connections(of: $0).isEmpty })
    bench.command(1, .leCreateConnectionCancel)
    bench.initiate(1, to: 0, phys: .le1M)
    bench.run(for: .seconds(2))
    // No parameters for LE 2M: those of LE 1M count.
    equal(bench.connections(of: 1).first?.interval, 24)
  }

  @Test("Where PDUs are lost, chains are cut and never put together wrongly, and no central is alone on its link")
  func losses() {
    var room = RadioEnvironment.lossless
    room.packetLoss = Ratio(3, 10)
    let bench = RadioBench(RadioBench.radios(3), environment: room, wantsAir: true)
    let data = (0..<900).map { UInt8(truncatingIfNeeded: $0 / 3) }
    bench.advertise(0, ExtendedAdvertising(data: data))
    bench.advertise(0, set: 1, ExtendedAdvertising(properties: .scannable, scanResponse: data, sid: 6))
    bench.scan(1, isActive: true)
    bench.run(for: .seconds(20))
    for sid: UInt8 in [5, 6] {
      let reports = bench.reports(of: 1).filter { $0.sid == sid && $0.type != .scannable }
      let whole = HCI.ExtendedAdvertisingReport.whole(reports)
      expect(whole.count > 5 && whole.allSatisfy { $0 == data })
      expect(reports.count { $0.isTruncated } > 5)
    }
    bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
    bench.extended(0, .leClearAdvertisingSets)
    bench.advertise(0, ExtendedAdvertising(properties: .connectable))
    var (made, failed) = (0, 0)
    for _ in 0..<40 {
      for device in 0...2 { bench.events[device].removeAll() }
      bench.enable(0)
      bench.initiate(2, to: 0)
      bench.run(for: .milliseconds(900))
      bench.extended(0, .leSetExtendedAdvertisingEnable(false, []))
      bench.command(2, .leCreateConnectionCancel)
      let (central, peripheral) = (bench.connections(of: 2), bench.connections(of: 0))
      expect(peripheral.count >= central.count)
      made += central.count
      for connection in central {
        bench.command(2, .disconnect(connection.handle, reason: .remoteUserTerminatedConnection))
      }
      bench.run(for: .seconds(2))
      failed += bench.disconnections(of: 0).count { $0.reason == .connectionFailedToBeEstablished }
    }
    expect(made > 20 && failed > 0)
  }

  @Test("A scanner whose link is due at the time of an AUX_ADV_IND misses it, and the link loses nothing")
  func busy() throws {
    let bench = RadioBench(RadioBench.radios(3), wantsAir: true)
    bench.advertise(0, ExtendedAdvertising(data: [UInt8](repeating: 1, count: 240)))
    bench.run(for: .seconds(1))
    bench.advertise(2, ExtendedAdvertising(properties: .connectable))
    bench.initiate(1, to: 2, phys: .le1M)
    bench.run(for: .seconds(1))
    equal(bench.connections(of: 1).count, 1)
    let missed = bench.world.statistics.missedConnectionEvents
    bench.air.removeAll()
    bench.scan(1)
    bench.run(for: .seconds(20))
    // 2.0 ms of AUX_ADV_IND and 0.3 ms of a connection event, every 30 ms.
    let (sent, heard) = (bench.sent(.auxAdvInd).count, bench.reports(of: 1).count { $0.isComplete })
    expect(heard > sent * 85 / 100 && heard < sent * 97 / 100)
    // Only where both were on one channel.
    expect(bench.world.statistics.missedConnectionEvents - missed <= 5)
    expect(bench.disconnections(of: 1).isEmpty)
  }

  /// Extended advertisers among links that are idle most of the time.
  private func crowd(seed: UInt64, steps: Bool) -> (RadioWorld.Statistics, TraceDigest, String) {
    let bench = RadioBench(
      RadioBench.radios(10) { configuration, index in configuration.clockPartsPerMillion = index * 4 - 16 },
      seed: seed, stepsIdleEvents: steps)
    for central in [1, 2, 4] { _ = bench.connect(central, to: central == 4 ? 5 : 0, interval: central == 2 ? 36 : 24) }
    for device in 6...7 {
      bench.advertise(
        device,
        ExtendedAdvertising(data: [UInt8](repeating: UInt8(device), count: 600), secondaryPHY: .le1M, skip: 1))
    }
    bench.advertise(8, ExtendedAdvertising(properties: .scannable, scanResponse: [UInt8](repeating: 2, count: 500)))
    for device in [0, 1, 9] { bench.scan(device, isActive: true) }
    bench.run(for: .seconds(8))
    bench.world.settle()
    var seen = ""
    for device in 0..<10 { for (at, event) in bench.events[device] { seen += "\(device) \(at) \(event)\n" } }
    return (bench.world.statistics, bench.world.digest, seen)
  }

  @Test("Links that are skipped meet extended PDUs on their channels as if they were stepped", arguments: 1...6)
  func equalsStepping(seed: Int) {
    let (stepped, skipped) = (crowd(seed: UInt64(seed), steps: true), crowd(seed: UInt64(seed), steps: false))
    equal(stepped.1, skipped.1)
    equal(stepped.2, skipped.2)
    equal(stepped.0.connectionEvents, skipped.0.connectionEvents)
    expect(skipped.0.skippedConnectionEvents > 100)
  }

  /// Sends other octets than the controllers do on the advertising channels, at times.
  private final class Damage: PDUTap {
    var stream = RandomStream(seed: 3, component: "test", purpose: "damage")

    func takes(_ pdu: HostilePDU, on handle: HCI.ConnectionHandle, device: Int) -> Bool { false }

    func replacement(forAdvertising pdu: [UInt8], device: Int) -> [UInt8]? {
      guard stream.below(3) == 0 else { return nil }
      var octets = pdu
      for _ in 0...stream.below(3) {
        octets[Int(stream.below(UInt64(octets.count)))] ^= 1 << UInt8(stream.below(8))
      }
      return octets
    }
  }

  @Test("Damaged PDUs harm nobody: no report is wrong in form, and every controller goes on")
  func damage() {
    let bench = RadioBench(RadioBench.radios(5), wantsAir: true)
    let tap = Damage()
    bench.world.pduTap = tap
    bench.advertise(0, ExtendedAdvertising(data: [UInt8](repeating: 7, count: 700)))
    bench.advertise(1, ExtendedAdvertising(properties: .scannable, scanResponse: [UInt8](repeating: 8, count: 400)))
    bench.advertise(2, ExtendedAdvertising(properties: .connectable))
    bench.scan(3, isActive: true)
    for _ in 0..<30 {
      bench.initiate(4, to: 2)
      bench.run(for: .seconds(1))
      for connection in bench.connections(of: 4) {
        bench.command(4, .disconnect(connection.handle, reason: .remoteUserTerminatedConnection))
      }
      bench.enable(2)
    }
    expect(bench.reports(of: 3).count > 500)
    bench.world.pduTap = nil
    bench.events[3].removeAll()
    bench.run(for: .seconds(1))
    expect(HCI.ExtendedAdvertisingReport.whole(bench.reports(of: 3).filter { $0.data.contains(7) }).count > 20)
  }
}
