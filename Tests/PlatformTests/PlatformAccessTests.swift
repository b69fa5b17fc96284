import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("Whole advertisements, every packet of them, and intervals of links")
struct PlatformAccessTests {
  /// A sensor that says its temperature, and a device that scans.
  private func heard(
    _ request: ScanRequest, data: [UInt8], response: [UInt8] = [], while change: (PlatformBench) -> Void = { _ in }
  ) -> [HeardAdvertiser] {
    let bench = PlatformBench([Apps.quiet, Apps.quiet])
    bench.launch(0, 1)
    bench.run(for: .milliseconds(100))
    bench.perform(0, .gap(.advertise(data: data, scanResponse: response)))
    change(bench)
    bench.perform(1, .gap(.scan(request)))
    bench.run(for: .seconds(1))
    return bench.inputs(1).compactMap { if case .gap(.heard(let heard)) = $0 { heard } else { nil } }
  }

  @Test("Octets of an advertiser are told as they are, once, with the scan response when it is heard")
  func whole() {
    let list = heard(ScanRequest(services: []), data: [5, 0xFF, 0x59, 0, 1, 2], response: [2, 0x0A, 4])
    equal(list.count, 2)
    expect(list.last?.data == [5, 0xFF, 0x59, 0, 1, 2] && list.last?.scanResponse == [2, 0x0A, 4])
    expect(list.last?.manufacturerData == [[0x59, 0, 1, 2]] && list.last?.transmitPower == 4)
    equal(list.last?.advertisement.address, PlatformBench.address(0))
  }

  /// What is heard within a second of an advertiser that says how.
  private func heard(every interval: UInt16, isConnectable: Bool, response: [UInt8]) -> [HeardAdvertiser] {
    let bench = PlatformBench([Apps.quiet, Apps.quiet])
    bench.launch(0, 1)
    bench.perform(
      0, .gap(.advertiseEvery(interval, isConnectable: isConnectable)),
      .gap(.advertise(data: [2, 0x0A, 4], scanResponse: response)))
    bench.perform(1, .gap(.scan(ScanRequest(services: [], everyPacket: true))))
    bench.run(for: .seconds(1))
    return bench.inputs(1).compactMap { if case .gap(.heard(let heard)) = $0 { heard } else { nil } }
  }

  @Test("An app says how often its advertiser is heard, and whether it can be scanned and connected to")
  func intervals() {
    let often = heard(every: 160, isConnectable: true, response: [])
    expect((16...22).contains(often.count) && often.allSatisfy(\.isConnectable))
    expect((3...6).contains(heard(every: 800, isConnectable: true, response: []).count))
    let silent = heard(every: 160, isConnectable: false, response: [])
    expect((8...11).contains(silent.count), "nobody answers a scan")
    expect(silent.allSatisfy { !$0.isConnectable })
    let scanned = heard(every: 160, isConnectable: false, response: [2, 0x0A, 5])
    expect((16...22).contains(scanned.count) && scanned.last?.scanResponse == [2, 0x0A, 5])
    equal(scanned.first?.isConnectable, false)
    expect(heard(every: 0x1F, isConnectable: true, response: []).count > 60, "20 ms is the least: the phone's own")
  }

  @Test("Every packet is told where that is asked for, and not in background")
  func everyPacket() {
    let request = ScanRequest(services: [], everyPacket: true)
    let data: [UInt8] = [5, 0xFF, 0x59, 0, 1, 2]
    // 20 ms from packet to packet, and up to 10 ms more.
    expect((60...110).contains(heard(request, data: data, response: [2, 0x0A, 4]).count))
    equal(heard(request, data: data) { $0.apply(.background, 1) }.count, 1)
  }

  @Test("A filter looks at advertised and at solicited services")
  func solicited() {
    let service = BluetoothUUID(0x180D)
    let looking: [UInt8] = [3, 0x14, 0x0D, 0x18]
    let other = BluetoothUUID(0x180F)
    equal(heard(ScanRequest(services: [other], solicited: [service]), data: looking).count, 1)
    expect(heard(ScanRequest(services: [other], solicited: [other]), data: looking).isEmpty)
    equal(heard(ScanRequest(services: [service]), data: [3, 0x03, 0x0D, 0x18]).count, 1)
  }

  @Test("Data that is too long is refused")
  func tooLong() {
    let bench = PlatformBench([Apps.quiet])
    bench.launch(0)
    bench.run(for: .milliseconds(100))
    bench.perform(0, .gap(.advertise(data: Array(repeating: 0, count: 32), scanResponse: [])))
    equal(bench.inputs(0).last, .advertisingStarted(false))
  }

  @Test("A peripheral asks for an interval and its central agrees, a central changes it itself")
  func interval() throws {
    let bench = try required(Apps.connected())
    let connection = try required(bench.radio.connections.first)
    bench.run(for: .seconds(2))
    let timeout = connection.central.subrating.timeoutUnits
    bench.perform(0, .gap(.requestInterval(try required(bench.link(0, to: 1)), shortest: 72, longest: 80)))
    bench.run(for: .seconds(2))
    expect((72...80).contains(connection.intervalUnits) && connection.central.subrating.timeoutUnits == timeout)
    bench.perform(1, .gap(.requestInterval(try required(bench.link(1, to: 0)), shortest: 12, longest: 12)))
    bench.run(for: .seconds(2))
    equal(connection.intervalUnits, 12)
    equal(bench.platforms[0].links.count, 1)
  }
}
