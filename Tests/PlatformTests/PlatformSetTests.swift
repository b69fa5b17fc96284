import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import Platform
@testable import VirtualRadio

@Suite("Advertising sets of an app")
struct PlatformSetTests {
  private static func request(_ set: UInt8, isConnectable: Bool = true, interval: UInt16 = 160) -> AdvertisingSetRequest
  {
    var request = AdvertisingSetRequest()
    request.set = set
    request.data = [2, 0x0A, set]
    request.interval = interval
    request.isConnectable = isConnectable
    return request
  }

  private func room(sets: Int = 4) -> PlatformBench {
    let bench = PlatformBench([Apps.quiet, Apps.quiet]) { phone, _ in phone.advertising.sets = sets }
    bench.launch(0, 1)
    return bench
  }

  /// What device 1 hears in two seconds: how often, by the address and the last octet of the data.
  private func heard(_ bench: PlatformBench) -> [BluetoothAddress: [UInt8]] {
    let start = bench.seen.count
    bench.perform(1, .gap(.scan(ScanRequest(services: [], everyPacket: true))))
    bench.run(for: .seconds(2))
    bench.perform(1, .stopScanning)
    var found: [BluetoothAddress: [UInt8]] = [:]
    for case .gap(.heard(let heard)) in bench.inputs(1, since: start) {
      found[heard.advertisement.address, default: []].append(heard.data.last ?? 0)
    }
    return found
  }

  @Test("Each is heard as often as one alone, from an address of its own")
  func rate() throws {
    let bench = room()
    bench.perform(0, .gap(.advertise(data: [2, 0x0A, 0], scanResponse: [])))
    for set in 1...3 as ClosedRange<UInt8> {
      bench.perform(0, .gap(.advertiseSet(Self.request(set))))
      bench.run(for: .milliseconds(100))
      equal(bench.inputs(0).last, .gap(.setStarted(set, true)))
    }
    let found = heard(bench)
    expect(found.count == 4 && found[PlatformBench.address(0)]?.allSatisfy { $0 == 0 } == true)
    for set in 1...3 as ClosedRange<UInt8> {
      let packets = found.values.filter { $0.contains(set) }
      expect(packets.count == 1 && packets[0].allSatisfy { $0 == set } && packets[0].count >= 15, "\(packets)")
    }
    bench.perform(0, .gap(.endSet(2)), .stopAdvertising)
    bench.run(for: .milliseconds(100))
    equal(Set(heard(bench).values.flatMap { $0 }), [1, 3])
  }

  @Test("A connection ends the set through which it came, and no other; the next one comes from the same address")
  func connection() throws {
    let bench = room()
    bench.perform(
      0, .gap(.advertise(data: [2, 0x0A, 0], scanResponse: [])), .gap(.advertiseSet(Self.request(1))),
      .gap(.advertiseSet(Self.request(2))))
    bench.run(for: .milliseconds(100))
    let address = try required(heard(bench).first { $0.value.contains(1) }?.key)
    let start = bench.seen.count
    bench.perform(1, .connect(address))
    expect(bench.wait { bench.link(0, to: 1) != nil })
    let inputs = bench.inputs(0, since: start)
    equal(inputs.first, .gap(.setEnded(1)))
    if case .connected? = inputs.last {} else { Issue.record("\(inputs)") }
    equal(Set(heard(bench).values.flatMap { $0 }), [0, 2])
    bench.perform(0, .gap(.advertiseSet(Self.request(1))))
    bench.run(for: .milliseconds(100))
    equal(heard(bench)[address]?.contains(1), true)
  }

  @Test("A pairing on a link of a set is made with the address of the set")
  func pairing() throws {
    let bench = PlatformBench([Apps.quiet, Apps.quiet]) { phone, _ in
      phone.advertising.sets = 2
      phone.pairing = PhonePreset.PairingHabits()
    }
    bench.launch(0, 1)
    bench.perform(0, .gap(.advertiseSet(Self.request(1))))
    bench.run(for: .milliseconds(100))
    let address = try required(heard(bench).keys.first)
    bench.perform(1, .connect(address))
    expect(bench.wait { bench.link(1, to: 0) != nil })
    let link = try required(bench.link(1, to: 0))
    bench.perform(1, .gap(.pair(link)))
    bench.run(for: .seconds(5))
    equal(bench.inputs(1).last, .gap(.paired(link, error: nil)))
    expect(bench.platforms[1].host.bond(with: address) != nil)
  }

  @Test("What the phone cannot do is refused: another number, too many octets, Bluetooth off")
  func refused() {
    let bench = room(sets: 2)
    var long = Self.request(1)
    long.data = [UInt8](repeating: 0, count: 32)
    for request in [Self.request(0), Self.request(2), Self.request(1, interval: 0x1F), long] {
      bench.perform(0, .gap(.advertiseSet(request)))
      equal(bench.inputs(0).last, .gap(.setStarted(request.set, false)))
    }
    let one = room(sets: 1)
    one.perform(0, .gap(.advertiseSet(Self.request(1))))
    equal(one.inputs(0).last, .gap(.setStarted(1, false)))
    bench.apply(.radioOff, 0)
    bench.perform(0, .gap(.advertiseSet(Self.request(1))))
    equal(bench.inputs(0).last, .gap(.setStarted(1, false)))
  }

  @Test("They end with the app and with Bluetooth, and rest while the phone keeps its app from advertising")
  func ends() {
    let bench = PlatformBench([Apps.quiet, Apps.quiet]) { phone, _ in
      phone.advertising.sets = 2
      phone.background.advertising = .stops
    }
    bench.launch(0, 1)
    bench.perform(0, .gap(.advertiseSet(Self.request(1))))
    bench.run(for: .milliseconds(100))
    equal(heard(bench).count, 1)
    bench.apply(.background, 0)
    expect(heard(bench).isEmpty)
    bench.apply(.foreground, 0)
    equal(heard(bench).count, 1)
    bench.apply(.kill, 0)
    expect(heard(bench).isEmpty)
    bench.apply(.relaunch, 0)
    bench.perform(0, .gap(.advertiseSet(Self.request(1))))
    bench.run(for: .milliseconds(100))
    bench.apply(.radioOff, 0)
    bench.run(for: .seconds(1))
    bench.apply(.radioOn, 0)
    bench.run(for: .seconds(1))
    expect(heard(bench).isEmpty)
  }
}
