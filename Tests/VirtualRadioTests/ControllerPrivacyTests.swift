import BluetoothWire
import Expectations
import LinkCrypto
import SimKernel
import Testing

@testable import VirtualRadio

/// The resolving list and private addresses (Vol 6, Part B, 1.3.2.2, 4.7, 6; Vol 4, Part E, 7.8.38 … 7.8.45, 7.8.77).
@Suite("The controller's privacy")
struct ControllerPrivacyTests {
  /// Sample data of Vol 3, Part H, D.7, most significant octet first.
  private static let key: [UInt8] = [
    0xEC, 0x02, 0x34, 0xA3, 0x57, 0xC8, 0xAD, 0x05, 0x34, 0x10, 0x10, 0xA6, 0x0A, 0x39, 0x7D, 0x9B,
  ]
  private let other = [UInt8](repeating: 0x5A, count: 16)
  private let none = [UInt8](repeating: 0, count: 16)

  @Test("The random address hash gives the specification's sample")
  func hash() {
    equal(ResolvableAddress.hash(Self.key, prand: 0x708194), 0x0DFBAA)
    let address = BluetoothAddress(kind: .random, bits: 0x7081_940D_FBAA)
    expect(ResolvableAddress.resolves(address, with: Self.key))
    expect(!ResolvableAddress.resolves(address, with: other))
    expect(!ResolvableAddress.resolves(BluetoothAddress(kind: .publicDevice, bits: address.bits), with: Self.key))
    var stream = RandomStream(seed: 1, component: "test", purpose: "privacy")
    for _ in 0..<100 {
      let made = ResolvableAddress.make(Self.key, &stream)
      expect(ResolvableAddress.isResolvable(made) && ResolvableAddress.resolves(made, with: Self.key))
    }
  }

  @Test("The list: twins, size, unknown peers, ranges, and not while it is in use")
  func list() throws {
    let bench = ControllerBench(1)
    let peer: [UInt8] = [0, 1, 2, 3, 4, 5, 6]
    for opcode: UInt16 in [0x2028, 0x202B, 0x202C] { equal(bench.command(0, opcode, peer), 0x02) }
    equal(bench.command(0, 0x204E, peer + [0]), 0x02)
    let size = try bench.returned(0, 0x202A)[0]
    for index in 0..<size {
      let irk = [index + 1] + [UInt8](repeating: 7, count: 15)
      equal(bench.command(0, 0x2027, [0, index, 2, 3, 4, 5, 6] + irk + other), 0)
    }
    equal(bench.command(0, 0x2027, [0, 99, 2, 3, 4, 5, 6] + none + other), 0x07)
    equal(bench.command(0, 0x2027, [0, 0, 2, 3, 4, 5, 6] + none + other), 0x12)
    equal(bench.command(0, 0x2027, [0, 99, 2, 3, 4, 5, 6] + [1] + [UInt8](repeating: 7, count: 15) + other), 0x12)
    equal(bench.command(0, 0x204E, [0, 0, 2, 3, 4, 5, 6, 2]), 0x12)
    equal(bench.command(0, 0x204E, [0, 0, 2, 3, 4, 5, 6, 1]), 0)
    equal(bench.command(0, 0x2028, [0, 0, 2, 3, 4, 5, 6]), 0)
    for seconds: UInt16 in [0, 0x0E11] { equal(bench.command(0, 0x202E, seconds.octets), 0x12) }
    equal(bench.command(0, 0x202E, UInt16(1).octets), 0)
    equal(bench.command(0, 0x202D, [1]), 0)
    equal(bench.command(0, 0x200C, [1, 0]), 0)
    equal(bench.command(0, 0x202D, [0]), 0x0C)
    equal(bench.command(0, 0x2027, peer + none + none), 0x0C)
    equal(bench.command(0, 0x2029), 0x0C)
    equal(bench.command(0, 0x200C, [0, 0]), 0)
    equal(bench.command(0, 0x2029), 0)
  }

  /// Both know each other's identity (public addresses) and keys; both use resolvable private addresses.
  private func pair() throws -> ControllerBench {
    let bench = ControllerBench(2)
    for device in 0...1 {
      bench.unmask(device)
      let keys = device == 0 ? other + Array(Self.key.reversed()) : Array(Self.key.reversed()) + other
      equal(bench.command(device, 0x2027, [0] + ControllerBench.publicAddress(1 - device).octets + keys), 0)
      equal(bench.command(device, 0x202D, [1]), 0)
    }
    return bench
  }

  @Test("Peers behind private addresses are reported, filtered and connected by their identities")
  func connection() throws {
    let bench = try pair()
    let advertising = ControllerBench.advertising(own: 2, peer: ControllerBench.publicAddress(1), policy: 2)
    equal(bench.command(0, 0x2011, [0] + ControllerBench.publicAddress(1).octets), 0)
    equal(bench.command(0, 0x2006, advertising), 0)
    equal(bench.command(0, 0x200A, [1]), 0)
    equal(bench.command(1, 0x2011, [0] + ControllerBench.publicAddress(0).octets), 0)
    equal(bench.command(1, 0x200B, [0, 16, 0, 16, 0, 0, 1]), 0)
    equal(bench.command(1, 0x200C, [1, 0]), 0)
    let report = try required(bench.event(1, le: 0x02))
    equal(Array(report[6..<13]), [2] + ControllerBench.publicAddress(0).octets)
    equal(bench.command(1, 0x200C, [0, 0]), 0)
    equal(bench.command(1, 0x200D, ControllerBench.connection(to: ControllerBench.publicAddress(0), own: 2)), 0)
    let central = try required(bench.event(1, le: 0x0A))
    let peripheral = try required(bench.event(0, le: 0x0A))
    for (event, index) in [(central, 0), (peripheral, 1)] {
      equal(event[4], 0)
      equal(Array(event[8..<15]), [2] + ControllerBench.publicAddress(index).octets)
    }
    // What one side calls itself, the other side has resolved.
    expect(
      Array(central[15..<21]) == Array(peripheral[21..<27]) && Array(central[21..<27]) == Array(peripheral[15..<21]))
    expect(central[15..<21].contains { $0 != 0 } && central[21..<27].contains { $0 != 0 })
    let own = try bench.returned(1, 0x202C, [0] + ControllerBench.publicAddress(0).octets)
    equal(own, Array(central[15..<21]))
    try equal(bench.returned(0, 0x202B, [0] + ControllerBench.publicAddress(1).octets), own)
  }

  @Test("Directed advertising between private addresses finds its target")
  func directed() throws {
    let bench = try pair()
    let advertising = ControllerBench.advertising(type: 4, own: 2, peer: ControllerBench.publicAddress(1))
    equal(bench.command(0, 0x2006, advertising), 0)
    equal(bench.command(0, 0x200A, [1]), 0)
    equal(bench.command(1, 0x200D, ControllerBench.connection(to: ControllerBench.publicAddress(0), own: 2)), 0)
    equal(bench.event(1, le: 0x0A)?[4], 0)
    equal(bench.event(0, le: 0x0A)?[4], 0)
  }

  /// Directed advertising of device 0 at device 1, whose own address is of type `own` and whose resolving list has its
  /// local key.
  /// - Parameter knowsKey: whether device 0 has the key of device 1, which makes TargetA a resolvable private address.
  private func directs(own: UInt8, knowsKey: Bool, accepts mode: UInt8) throws -> ControllerBench {
    let bench = ControllerBench(2)
    let key = Array(Self.key.reversed())
    let keys = [(knowsKey ? key : none) + other, other + key]
    for device in 0...1 {
      bench.unmask(device)
      let peer = [0] + ControllerBench.publicAddress(1 - device).octets
      equal(bench.command(device, 0x2027, peer + keys[device]), 0)
      if device == 0 { equal(bench.command(0, 0x204E, peer + [mode]), 0) }
      equal(bench.command(device, 0x202D, [1]), 0)
    }
    let advertising = ControllerBench.advertising(type: 4, own: 2, peer: ControllerBench.publicAddress(1))
    equal(bench.command(0, 0x2006, advertising), 0)
    equal(bench.command(0, 0x200A, [1]), 0)
    equal(bench.command(1, 0x200D, ControllerBench.connection(to: ControllerBench.publicAddress(0), own: own)), 0)
    return bench
  }

  @Test("An initiator with a resolvable private address does not answer a TargetA that is its identity address")
  func identityAsTarget() throws {
    let bench = try directs(own: 2, knowsKey: false, accepts: 0)
    expect(bench.event(1, le: 0x0A) == nil)
    try equal(directs(own: 0, knowsKey: false, accepts: 0).event(1, le: 0x0A)?[4], 0)
  }

  @Test("An initiator with its public address answers a TargetA that its key resolves; device privacy mode takes that")
  func resolvableTarget() throws {
    let bench = try directs(own: 0, knowsKey: true, accepts: 1)
    expect(bench.event(1, le: 0x0A)?[4] == 0 && bench.event(0, le: 0x0A)?[4] == 0)
    let ignored = try directs(own: 0, knowsKey: true, accepts: 0)
    expect(ignored.event(1, le: 0x0A)?[4] == 0 && ignored.event(0, le: 0x0A) == nil)
  }

  @Test("A peer in network privacy mode is ignored under its identity address, one in device privacy mode is not")
  func privacyMode() throws {
    let bench = try pair()
    equal(bench.command(0, 0x2006, ControllerBench.advertising(type: 3)), 0)
    equal(bench.command(0, 0x200A, [1]), 0)
    equal(bench.command(1, 0x200C, [1, 0]), 0)
    expect(bench.event(1, le: 0x02, within: .seconds(3)) == nil)
    equal(bench.command(1, 0x200C, [0, 0]), 0)
    equal(bench.command(1, 0x204E, [0] + ControllerBench.publicAddress(0).octets + [1]), 0)
    equal(bench.command(1, 0x200C, [1, 0]), 0)
    expect(bench.event(1, le: 0x02, within: .seconds(3)) != nil)
  }

  @Test("A device is known by every address it uses: public, random, and the private one it has now")
  func usedAddresses() throws {
    let bench = try pair()
    let controller = bench.world.controllers[0]
    let random = BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4E0)
    expect(controller.uses(ControllerBench.publicAddress(0)) && !controller.uses(ControllerBench.publicAddress(1)))
    expect(!controller.uses(random))
    equal(bench.command(0, 0x2005, random.octets), 0)
    expect(controller.uses(random))
    let parameters = ControllerBench.advertising(type: 3, own: 2, peer: ControllerBench.publicAddress(1))
    equal(bench.command(0, 0x2006, parameters), 0)
    equal(bench.command(0, 0x200A, [1]), 0)
    bench.run(for: .milliseconds(100))
    let octets = try bench.returned(0, 0x202C, [0] + ControllerBench.publicAddress(1).octets)
    let made = BluetoothAddress(kind: .random, bits: octets.reversed().reduce(0) { $0 << 8 | UInt64($1) })
    expect(ResolvableAddress.isResolvable(made) && controller.uses(made))
    // Another device may have the same key, so an address that the key resolves is not enough.
    var stream = RandomStream(seed: 1, component: "test", purpose: "uses")
    expect(!controller.uses(ResolvableAddress.make(Self.key, &stream)))
  }

  @Test("A private address changes when its time is over")
  func timeout() throws {
    let bench = try pair()
    equal(bench.command(0, 0x202E, UInt16(1).octets), 0)
    let advertising = ControllerBench.advertising(type: 3, own: 2, peer: ControllerBench.publicAddress(1))
    equal(bench.command(0, 0x2006, advertising), 0)
    equal(bench.command(0, 0x200A, [1]), 0)
    var addresses: [[UInt8]] = []
    for _ in 0..<5 {
      bench.run(for: .milliseconds(1_100))
      addresses.append(try bench.returned(0, 0x202C, [0] + ControllerBench.publicAddress(1).octets))
    }
    expect(zip(addresses, addresses.dropFirst()).allSatisfy { $0 != $1 })
  }
}
