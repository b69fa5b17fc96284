import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// Controllers driven by H4 octets alone, as a host from outside drives them.
final class ControllerBench {
  let timeline = Timeline()
  let world: RadioWorld
  /// What each controller sent since it was last looked at.
  private var outward: [[[UInt8]]]

  /// - Parameter addresses: the configured addresses; by default public ones.
  init(_ addresses: [BluetoothAddress], change: (inout RadioConfiguration, Int) -> Void = { _, _ in }) {
    let radios = addresses.enumerated().map { index, address in
      var configuration = RadioConfiguration(
        name: "device-\(index)", address: address, position: Position(x: index * 100, y: 0))
      change(&configuration, index)
      return configuration
    }
    world = RadioWorld(timeline: timeline, environment: .lossless, seed: 7, radios: radios)
    outward = Array(repeating: [], count: addresses.count)
  }

  convenience init(_ count: Int, change: (inout RadioConfiguration, Int) -> Void = { _, _ in }) {
    self.init((0..<count).map(Self.publicAddress), change: change)
  }

  static func publicAddress(_ index: Int) -> BluetoothAddress {
    BluetoothAddress(kind: .publicDevice, bits: 0x00C0_DE00_0000 + UInt64(index))
  }

  /// Hands a packet in and gives back all that came out since, the answer last.
  @discardableResult
  func send(_ device: Int, _ octets: [UInt8]) -> [UInt8]? {
    world.controllers[device].submit(h4: octets)
    drain()
    return outward[device].last
  }

  /// Sends a command and gives back the status of its answer.
  @discardableResult
  func command(_ device: Int, _ opcode: UInt16, _ parameters: [UInt8] = []) -> UInt8? {
    let before = outward[device].count
    send(device, Self.packet(opcode, parameters))
    for event in outward[device][before...] where event[0] == 0x04 {
      if event[1] == 0x0E, Self.u16(event, 4) == opcode { return event[6] }
      if event[1] == 0x0F, Self.u16(event, 5) == opcode { return event[3] }
    }
    return nil
  }

  /// The return parameters behind the status of a command that must succeed.
  func returned(_ device: Int, _ opcode: UInt16, _ parameters: [UInt8] = []) throws -> [UInt8] {
    let before = outward[device].count
    send(device, Self.packet(opcode, parameters))
    let answer = try required(
      outward[device][before...].first { $0[1] == 0x0E && Self.u16($0, 4) == opcode && $0[6] == 0 })
    return Array(answer[7...])
  }

  /// Takes everything that a controller sent.
  func take(_ device: Int) -> [[UInt8]] {
    defer { outward[device].removeAll() }
    return outward[device]
  }

  /// Runs until a controller has sent an LE event with that subevent code, and gives back its octets.
  func event(_ device: Int, le subevent: UInt8, within span: SimDuration = .seconds(5)) -> [UInt8]? {
    first(device, within: span) { $0[0] == 0x04 && $0[1] == 0x3E && $0[3] == subevent }
  }

  func first(_ device: Int, within span: SimDuration, where matches: ([UInt8]) -> Bool) -> [UInt8]? {
    let limit = timeline.now + span
    while true {
      if let found = outward[device].first(where: matches) { return found }
      guard let event = timeline.advance(limit: limit) else { return nil }
      world.handle(event)
      drain()
    }
  }

  func run(for span: SimDuration) {
    let limit = timeline.now + span
    while let event = timeline.advance(limit: limit) {
      world.handle(event)
      drain()
    }
    if timeline.now < limit { timeline.skip(to: limit) }
  }

  private func drain() {
    while let device = world.nextWaiting() {
      while let message = world.controllers[device].popForHost() { outward[device].append(message.h4Octets) }
    }
  }

  // MARK: Shorthand

  static func packet(_ opcode: UInt16, _ parameters: [UInt8] = []) -> [UInt8] {
    [0x01, UInt8(opcode & 0xFF), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
  }

  static func u16(_ octets: [UInt8], _ offset: Int) -> UInt16 {
    UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8
  }

  /// Unmasks all events, or all but the enhanced connection complete.
  func unmask(_ device: Int, enhanced: Bool = true) {
    equal(command(device, 0x0C01, [UInt8](repeating: 0xFF, count: 8)), 0)
    equal(command(device, 0x2001, [0xFF, enhanced ? 0xFF : 0xFD] + [UInt8](repeating: 0xFF, count: 6)), 0)
  }

  /// Legacy advertising parameters: type, own address type, peer, filter policy.
  static func advertising(
    type: UInt8 = 0, own: UInt8 = 0, peer: BluetoothAddress? = nil, interval: UInt8 = 0x20, policy: UInt8 = 0,
    map: UInt8 = 7
  ) -> [UInt8] {
    [interval, 0, interval, 0, type, own, peer?.kind.rawValue ?? 0] + (peer?.octets ?? [0, 0, 0, 0, 0, 0])
      + [map, policy]
  }

  static func connection(
    to peer: BluetoothAddress, own: UInt8 = 0, usesList: Bool = false, timeout: UInt8 = 200
  ) -> [UInt8] {
    [0x10, 0, 0x10, 0, usesList ? 1 : 0, peer.kind.rawValue] + peer.octets
      + [own, 24, 0, 24, 0, 0, 0, timeout, 0, 0, 0, 0, 0]
  }

  /// Connects `central` to `peripheral` by legacy commands: handles of both.
  func connect(_ central: Int, to peripheral: Int) throws -> (UInt16, UInt16) {
    for device in [central, peripheral] { unmask(device, enhanced: false) }
    equal(command(peripheral, 0x2006, Self.advertising()), 0)
    equal(command(peripheral, 0x200A, [1]), 0)
    equal(command(central, 0x200D, Self.connection(to: Self.publicAddress(peripheral))), 0)
    let first = try required(event(central, le: 0x01))
    let second = try required(event(peripheral, le: 0x01))
    expect(first[4] == 0 && second[4] == 0)
    run(for: .milliseconds(200))
    return (Self.u16(first, 5), Self.u16(second, 5))
  }
}

extension UInt16 {
  var octets: [UInt8] { [UInt8(self & 0xFF), UInt8(self >> 8)] }
}
