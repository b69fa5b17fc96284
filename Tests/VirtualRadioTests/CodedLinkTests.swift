import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// LE Coded on links (Vol 6, Part B, 2.2, 4.5.10, 5.1.9, 5.1.10; Vol 4, Part E, 7.8.47 … 7.8.49).
@Suite("LE Coded on links")
struct CodedLinkTests {
  private func pair(
    interval: UInt16 = 80, distance: Int = 100, room: RadioEnvironment = .lossless, claims: [Bool] = [true, true]
  ) throws -> (bench: RadioBench, central: HCI.ConnectionHandle, peripheral: HCI.ConnectionHandle) {
    let radios = RadioBench.radios(2) { configuration, index in
      configuration.supportsCoded = claims[index]
      configuration.position = Position(x: index * distance, y: 0)
    }
    let bench = RadioBench(radios, environment: room, wantsAir: true)
    let (central, peripheral) = try #require(bench.connect(1, to: 0, interval: interval))
    bench.run(for: .milliseconds(500))
    return (bench, central, peripheral)
  }

  private func phys(_ bench: RadioBench, _ device: Int) -> [[HCI.PHY]] {
    bench.events[device].compactMap {
      if case .lePHYUpdateComplete(_, .success, let tx, let rx) = $0.event { [tx, rx] } else { nil }
    }
  }

  /// Sends a value and tells how the PDUs were sent that carried it.
  private func carriers(
    _ bench: RadioBench, _ handle: HCI.ConnectionHandle, from device: Int, octets: Int
  ) -> [AirPDU] {
    bench.air.removeAll()
    bench.received[1 - device].removeAll()
    bench.send(device, handle, [UInt8](repeating: 7, count: octets))
    bench.run(for: .seconds(1))
    equal(bench.received[1 - device].reduce(0) { $0 + $1.data.octets.count }, octets)
    return bench.air.filter { $0.transmitter == device && $0.pdu.count > 2 }
  }

  @Test("A host moves a link to LE Coded, and each end sends with the coding that its own host prefers")
  func moves() throws {
    let (bench, central, peripheral) = try pair()
    bench.command(1, .leSetPHY(central, tx: .leCoded, rx: .leCoded, options: .s2))
    bench.run(for: .seconds(2))
    for device in 0...1 { equal(phys(bench, device), [[.leCoded, .leCoded]]) }
    equal(carriers(bench, central, from: 1, octets: 27).map(\.phy), [.codedS2])
    equal(carriers(bench, central, from: 1, octets: 27).map(\.duration), [.microseconds(894)])
    equal(carriers(bench, peripheral, from: 0, octets: 27).map(\.phy), [.codedS8])
    equal(carriers(bench, peripheral, from: 0, octets: 27).map(\.duration), [.microseconds(2_448)])
    // Another wish for the PHY that is in use: no instant, only another coding.
    bench.command(0, .leSetPHY(peripheral, tx: .leCoded, rx: .leCoded, options: .s2))
    bench.command(1, .leSetPHY(central, tx: .leCoded, rx: .leCoded, options: .s8))
    bench.run(for: .seconds(1))
    equal(carriers(bench, peripheral, from: 0, octets: 27).map(\.phy), [.codedS2])
    equal(carriers(bench, central, from: 1, octets: 27).map(\.phy), [.codedS8])
    bench.command(1, .leReadPHY(central))
    let read = bench.events[1].last?.event
    equal(
      read,
      .commandComplete(
        .leReadPHY, status: .success, returnParameters: [UInt8(central & 0xFF), UInt8(central >> 8), 3, 3]))
    bench.command(0, .leSetPHY(peripheral, tx: .le1M, rx: .le2M))
    bench.run(for: .seconds(2))
    expect(phys(bench, 0).last == [.le1M, .le2M] && phys(bench, 1).last == [.le2M, .le1M])
    expect(bench.disconnections(of: 0).isEmpty && bench.disconnections(of: 1).isEmpty)
  }

  @Test("Without a wish the fastest PHY of both is chosen; a default of LE Coded alone makes it that")
  func defaults() throws {
    let (bench, central, _) = try pair()
    bench.command(1, .leSetPHY(central, tx: nil, rx: nil))
    bench.run(for: .seconds(2))
    equal(phys(bench, 1), [[.le2M, .le2M]])
    bench.command(0, .leSetDefaultPHY(tx: .leCoded, rx: .leCoded))
    bench.command(1, .leSetPHY(central, tx: nil, rx: nil))
    bench.run(for: .seconds(2))
    equal(phys(bench, 1).last, [.leCoded, .leCoded])
  }

  @Test("Who lacks LE Coded says so, and neither uses nor agrees to it", arguments: [[true, false], [false, true]])
  func lacks(claims: [Bool]) throws {
    let (bench, central, peripheral) = try pair(claims: claims)
    for (device, handle) in [(0, peripheral), (1, central)] {
      bench.command(device, .leReadRemoteFeatures(handle))
      bench.run(for: .milliseconds(500))
      let claimed = bench.events[device].contains {
        if case .leReadRemoteFeaturesComplete(_, _, let features) = $0.event { features >> 11 & 1 == 1 } else { false }
      }
      // What both have is told in the answer.
      expect(!claimed)
      bench.events[device].removeAll()
      bench.command(device, .leSetPHY(handle, tx: .leCoded, rx: .leCoded))
      let refused = bench.events[device].contains { $0.event == .commandStatus(.leSetPHY, status: .unsupportedFeature) }
      equal(refused, !claims[device])
      bench.run(for: .seconds(2))
      expect(phys(bench, device).allSatisfy { $0 == [.le1M, .le1M] })
    }
    expect(bench.air.allSatisfy { !$0.phy.isCoded })
  }

  @Test("Data length: 27 octets at once, then as many as the time and the interval leave", arguments: [24, 80])
  func dataLength(interval: UInt16) throws {
    let (bench, central, peripheral) = try pair(interval: interval)
    bench.command(1, .leSetPHY(central, tx: .leCoded, rx: .leCoded))
    bench.run(for: .seconds(2))
    func told(_ device: Int) -> [UInt16]? {
      bench.events[device].compactMap { event -> [UInt16]? in
        guard case .leDataLengthChange(_, let tx, let txTime, let rx, let rxTime) = event.event else { return nil }
        return [tx, txTime, rx, rxTime]
      }.last
    }
    expect(told(0) == [27, 2_704, 27, 2_704] && told(1) == [27, 2_704, 27, 2_704])
    equal(carriers(bench, central, from: 1, octets: 80).map { $0.pdu.count - 2 }, [27, 27, 26])
    for (device, handle) in [(1, central), (0, peripheral)] {
      bench.command(device, .leSetDataLength(handle, txOctets: 251, txTime: 17_040))
      bench.run(for: .seconds(1))
    }
    // connIntervalPortionAvailable: 30 ms less 300 µs and the 17 040 µs of the peer.
    let time: UInt16 = interval == 24 ? 12_660 : 17_040
    expect(told(0) == [251, time, 251, 17_040] && told(1) == [251, time, 251, 17_040])
    let octets = interval == 24 ? 182 : 251
    equal(
      carriers(bench, central, from: 1, octets: 251).map { $0.pdu.count - 2 },
      [octets, 251 - octets].filter { $0 > 0 })
    let longest = try #require(bench.air.map(\.duration).max())
    expect(longest <= .microseconds(Int64(time)))
    // On LE 1M again the whole time counts.
    bench.command(1, .leSetPHY(central, tx: .le1M, rx: .le1M))
    bench.run(for: .seconds(2))
    equal(told(1), [251, 17_040, 251, 17_040])
    equal(carriers(bench, central, from: 1, octets: 251).map { $0.pdu.count - 2 }, [251])
  }

  @Test("A controller with LE Coded has its longest time; to a peer that lacks it, it names that of LE 1M")
  func times() throws {
    let (bench, central, _) = try pair(claims: [false, true])
    bench.command(1, .leReadMaximumDataLength)
    let octets: [UInt8] = [251, 0, 0x90, 0x42, 251, 0, 0x90, 0x42]
    equal(
      bench.events[1].last?.event,
      .commandComplete(.leReadMaximumDataLength, status: .success, returnParameters: octets))
    bench.command(1, .leReadRemoteFeatures(central))
    bench.run(for: .milliseconds(500))
    bench.air.removeAll()
    bench.command(1, .leSetDataLength(central, txOctets: 251, txTime: 17_040))
    bench.run(for: .milliseconds(500))
    let asked = bench.air.compactMap { pdu -> LL.DataLength? in
      guard pdu.transmitter == 1, pdu.pdu[0] & 3 == 3 else { return nil }
      if case .lengthReq(let length) = try? LL.ControlPDU(decoding: Array(pdu.pdu[2...])) { return length }
      return nil
    }
    equal(
      asked.first,
      LL.DataLength(maxRxOctets: 251, maxRxTime: 2_120, maxTxOctets: 251, maxTxTime: 2_120))
  }

  @Test("An interval on LE Coded leaves room for both ends (connIntervalCodedMin)")
  func shortInterval() throws {
    let (bench, central, peripheral) = try pair()
    for (device, handle) in [(1, central), (0, peripheral)] {
      bench.command(device, .leSetDataLength(handle, txOctets: 251, txTime: 17_040))
      bench.run(for: .seconds(1))
    }
    bench.command(1, .leSetPHY(central, tx: .leCoded, rx: .leCoded))
    bench.run(for: .seconds(2))
    bench.command(
      1,
      .leConnectionUpdate(
        central,
        HCI.ConnectionParameters(
          intervalMinimum: 6, intervalMaximum: 6, peripheralLatency: 0, supervisionTimeout: 400)))
    bench.run(for: .seconds(2))
    let intervals = bench.events[0].compactMap { event -> UInt16? in
      if case .leConnectionUpdateComplete(_, .success, let interval, _, _) = event.event { interval } else { nil }
    }
    // 17 040 + 300 + 2704 µs.
    equal(intervals, [17])
    equal(carriers(bench, central, from: 1, octets: 54).map { $0.pdu.count - 2 }, [45, 9])
  }

  @Test("Where LE 1M is out of range, a link on LE Coded goes on; skipped and stepped worlds agree")
  func range() throws {
    var room = RadioEnvironment()
    room.pathLossExponent = 200
    var digests: [[TraceDigest]] = [[], []]
    for steps in [true, false] {
      for phy in [HCI.PHYMask.le1M, .leCoded] {
        let radios = RadioBench.radios(2) { configuration, index in
          configuration.supportsCoded = true
          configuration.position = Position(x: index * 10_000, y: 0)
        }
        let bench = RadioBench(radios, environment: room, stepsIdleEvents: steps)
        let (central, _) = try #require(bench.connect(1, to: 0, interval: 24))
        bench.command(1, .leSetPHY(central, tx: phy, rx: phy))
        bench.run(for: .seconds(2))
        // 1 km: −100.2 dBm.
        bench.world.move(1, to: Position(x: 100_000, y: 0))
        bench.run(for: .seconds(30))
        equal(bench.disconnections(of: 0).count, phy == .leCoded ? 0 : 1)
        bench.world.settle()
        digests[steps ? 0 : 1].append(bench.world.digest)
      }
    }
    equal(digests[0], digests[1])
  }
}
