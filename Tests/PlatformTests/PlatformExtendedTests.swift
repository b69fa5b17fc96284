import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("Phones with extended advertising")
struct PlatformExtendedTests {
  private func room(_ change: @escaping (inout PhonePreset) -> Void = { _ in }) -> PlatformBench {
    let bench = PlatformBench([Apps.quiet, Apps.quiet]) { phone, _ in
      phone.advertising.sets = 4
      phone.advertising.isExtended = true
      phone.radio.supportsCoded = true
      change(&phone)
    }
    bench.launch(0, 1)
    return bench
  }

  private static func request(
    _ octets: Int, isConnectable: Bool = false, primary: UInt8 = 1, secondary: UInt8 = 1
  ) -> ExtendedSetRequest {
    var request = ExtendedSetRequest()
    request.set = 1
    var data: [UInt8] = []
    while data.count < octets {
      let length = min(200, octets - data.count - 2)
      data += [UInt8(length + 1), 0xFF] + [UInt8](repeating: 7, count: length)
    }
    request.data = data
    request.interval = 160
    request.isConnectable = isConnectable
    (request.primaryPHY, request.secondaryPHY) = (primary, secondary)
    return request
  }

  private func heard(_ bench: PlatformBench, phys: UInt8) -> [(octets: Int, primary: UInt8, secondary: UInt8)] {
    let start = bench.seen.count
    bench.perform(1, .gap(.scanExtended(ScanRequest(services: []), phys: phys)))
    bench.run(for: .seconds(4))
    bench.perform(1, .stopScanning)
    return bench.inputs(1, since: start).compactMap { input in
      guard case .gap(.heardExtended(let heard, let primary, let secondary, _)) = input else { return nil }
      return (heard.data.count, primary, secondary)
    }
  }

  @Test(
    "What is sent is heard whole, on the PHYs on which it is looked for",
    arguments: [(40, 1, 1), (40, 1, 2), (230, 3, 3), (1_650, 1, 2), (900, 3, 2)] as [(Int, UInt8, UInt8)])
  func heardWhole(octets: Int, primary: UInt8, secondary: UInt8) {
    let bench = room()
    bench.perform(0, .gap(.advertiseExtended(Self.request(octets, primary: primary, secondary: secondary))))
    bench.run(for: .milliseconds(200))
    equal(bench.inputs(0).last, .gap(.setStarted(1, true)))
    let found = heard(bench, phys: 5)
    expect(found.count == 1 && found[0] == (octets, primary, secondary), "\(found)")
    expect(heard(bench, phys: primary == 1 ? 4 : 1).isEmpty)
    let start = bench.seen.count
    bench.perform(1, .gap(.scan(ScanRequest(services: []))))
    bench.run(for: .seconds(2))
    expect(bench.inputs(1, since: start).isEmpty, "a scan that does not ask for it")
  }

  @Test(
    "A connection ends its set before it is told, and begins on the secondary PHY", arguments: [1, 2, 3] as [UInt8])
  func connection(secondary: UInt8) throws {
    let bench = room()
    bench.perform(
      0, .gap(.advertise(data: [2, 0x0A, 0], scanResponse: [])),
      .gap(
        .advertiseExtended(Self.request(60, isConnectable: true, primary: secondary == 3 ? 3 : 1, secondary: secondary))
      ))
    bench.run(for: .milliseconds(200))
    let start = bench.seen.count
    bench.perform(1, .gap(.scanExtended(ScanRequest(services: []), phys: 5)))
    bench.run(for: .seconds(3))
    let address = try required(
      bench.inputs(1, since: start).compactMap { input in
        if case .gap(.heardExtended(let heard, _, _, _)) = input { heard.advertisement.address } else { nil }
      }.first)
    bench.perform(1, .stopScanning, .connect(address), .gap(.watch(bonds: false, links: true)))
    expect(bench.wait { bench.link(0, to: 1) != nil })
    let inputs = bench.inputs(0, since: start)
    equal(inputs.first, .gap(.setEnded(1)))
    if case .connected? = inputs.last {} else { Issue.record("\(inputs)") }
    let link = try required(bench.link(1, to: 0))
    bench.perform(1, .gap(.preferPHY(link, tx: 0, rx: 0)))
    bench.run(for: .seconds(1))
    expect(
      bench.inputs(1, since: start).contains { input in
        if case .gap(.phy(link, let tx, _, _)) = input { tx == secondary } else { false }
      }, "\(bench.inputs(1, since: start))")
  }

  @Test("What its host does with legacy PDUs is on the air as by the legacy commands")
  func legacy() throws {
    let bench = room()
    bench.perform(0, .gap(.advertise(data: [2, 1, 6], scanResponse: [2, 0x0A, 4])))
    let start = bench.seen.count
    bench.perform(1, .gap(.scan(ScanRequest(services: []))))
    bench.run(for: .seconds(3))
    let heard = bench.inputs(1, since: start).compactMap { input in
      if case .gap(.heard(let heard)) = input { heard } else { nil }
    }
    expect(heard.last?.data == [2, 1, 6] && heard.last?.scanResponse == [2, 0x0A, 4], "\(heard)")
    bench.perform(1, .stopScanning, .connect(PlatformBench.address(0)))
    expect(bench.wait { bench.link(0, to: 1) != nil && bench.link(1, to: 0) != nil })
  }

  @Test("What the phone cannot do is refused")
  func refused() {
    let bench = room { $0.radio.supportsCoded = false }
    var twoKinds = Self.request(0, isConnectable: true)
    twoKinds.isScannable = true
    for request in [Self.request(40, primary: 3), Self.request(40, primary: 2), Self.request(1_652), twoKinds] {
      bench.perform(0, .gap(.advertiseExtended(request)))
      equal(bench.inputs(0).last, .gap(.setStarted(1, false)))
    }
    let plain = PlatformBench([Apps.quiet, Apps.quiet]) { phone, _ in phone.advertising.sets = 4 }
    plain.launch(0, 1)
    plain.perform(0, .gap(.advertiseExtended(Self.request(40))))
    equal(plain.inputs(0).last, .gap(.setStarted(1, false)))
  }
}
