import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// A pairing of two stacks: who asks, with which capabilities, and how it must go.
struct PairingCase: CustomTestStringConvertible, Sendable {
  var name: String
  var central: SMP.IOCapability
  var peripheral: SMP.IOCapability
  var isSecure: Bool
  var authenticates = true
  /// The method that follows.
  var method: PairingMethod
  var testDescription: String { "\(name), \(isSecure ? "Secure Connections" : "legacy")" }

  static let all: [PairingCase] = [true, false].flatMap { isSecure in
    [
      PairingCase(
        name: "Just Works", central: .noInputNoOutput, peripheral: .displayYesNo, isSecure: isSecure,
        method: .justWorks),
      PairingCase(
        name: "without authentication", central: .keyboardDisplay, peripheral: .keyboardDisplay, isSecure: isSecure,
        authenticates: false, method: .justWorks),
      PairingCase(
        name: "two screens", central: .displayYesNo, peripheral: .displayYesNo, isSecure: isSecure,
        method: isSecure ? .numericComparison : .justWorks),
      PairingCase(
        name: "central types", central: .keyboardOnly, peripheral: .displayOnly, isSecure: isSecure,
        method: .passkey(initiatorTypes: true, responderTypes: false)),
      PairingCase(
        name: "peripheral types", central: .displayYesNo, peripheral: .keyboardOnly, isSecure: isSecure,
        method: .passkey(initiatorTypes: false, responderTypes: true)),
      PairingCase(
        name: "both type", central: .keyboardOnly, peripheral: .keyboardOnly, isSecure: isSecure,
        method: .passkey(initiatorTypes: true, responderTypes: true)),
    ]
  }

  func room(seed: UInt64 = 3, change: (Int, inout SecurityConfiguration) -> Void = { _, _ in }) throws -> PairingRoom {
    try PairingRoom(seed: seed) { device, settings in
      settings.ioCapability = device == 1 ? central : peripheral
      settings.asksForAuthentication = authenticates
      // Legacy pairing follows when one of the two does not offer more.
      settings.offersSecureConnections = isSecure || device == 1
      change(device, &settings)
    }
  }

  var level: SecurityLevel {
    SecurityLevel(method == .justWorks ? .encrypted : .authenticated, isSecureConnections: isSecure)
  }
}

@Suite("Pairing of two stacks over the virtual radio (Core v5.4, Vol 3, Part H, 2.3)")
struct PairingTests {
  @Test("Each method, begun by either role, ends with one level and a bond at both ends", arguments: PairingCase.all)
  func methods(_ pairing: PairingCase) throws {
    for begins in 0...1 {
      let room = try pairing.room()
      room.pair(from: begins)
      room.run(for: .seconds(5))
      for device in 0...1 {
        equal(room.errors(device), [])
        equal(room.violations(device), [])
        equal(room.changes(device), [pairing.level])
        equal(room.level(device), pairing.level)
        equal(room.paired(device), [RadioBench.address(1 - device)])
        let bond = try required(room.room.hosts[device].bonds.first)
        equal(bond.identity, RadioBench.address(1 - device))
        equal(bond.isAuthenticated, pairing.method.isAuthenticated)
        equal(bond.isSecureConnections, pairing.isSecure)
        equal((room.shown[device] != nil), (pairing.method.isPasskey && !pairing.method.types(device.role)))
        equal((room.asked[device] != nil), (pairing.method == .numericComparison))
      }
      if pairing.method == .numericComparison { equal(room.asked[0], room.asked[1]) }
      let bonds = room.room.hosts.map { $0.bonds[0] }
      equal(bonds[0].keyAsPeripheral, bonds[1].keyAsCentral)
      equal(bonds[0].keyAsCentral, bonds[1].keyAsPeripheral)
      expect(bonds[0].keyAsPeripheral != nil)
    }
  }

  @Test("The link carries data after pairing", arguments: PairingCase.all)
  func data(_ pairing: PairingCase) throws {
    let room = try pairing.room()
    room.room.hosts[0].publish(.loop)
    room.pair()
    room.run(for: .seconds(5))
    room.room.hosts[1].discover(room.handles[1], service: loopService)
    room.run(for: .seconds(3))
    room.room.hosts[1].read(room.handles[1], characteristic: loopNote)
    room.run(for: .seconds(1))
    expect(
      room.events[1].contains(
        .readCompleted(room.handles[1], characteristic: loopNote, value: [1, 2, 3], error: nil)))
  }

  @Test("A wrong passkey fails with Confirm Value Failed at both ends", arguments: PairingCase.all)
  func wrongPasskey(_ pairing: PairingCase) throws {
    guard pairing.method.isPasskey else { return }
    for bit in [0, 7, 18] {
      let room = try pairing.room()
      // One of the two errs, where both type.
      room.types = { device, shown in
        device == 1 || pairing.central != .keyboardOnly ? shown ^ 1 << UInt32(bit) : shown
      }
      room.pair()
      room.run(for: .seconds(5))
      let errors = (0...1).map { room.errors($0) }
      expect(errors.contains([.failed(.confirmValueFailed)]))
      expect(errors.contains([.refused(.confirmValueFailed)]))
      expect(room.level(0) == .none && room.level(1) == .none)
      expect(room.room.hosts[0].bonds == [] && room.room.hosts[1].bonds == [])
    }
  }

  @Test("A refused number fails with Numeric Comparison Failed, whoever refuses", arguments: 0...1)
  func refusedNumber(device: Int) throws {
    let room = try PairingCase.all[2].room()
    room.acceptsNumber[device] = false
    room.pair()
    room.run(for: .seconds(5))
    equal(room.errors(device), [.failed(.numericComparisonFailed)])
    equal(room.errors(1 - device), [.refused(.numericComparisonFailed)])
    equal(room.level(device), .none)
  }

  @Test("A user who does not type a passkey fails with Passkey Entry Failed", arguments: [3, 4, 9, 10])
  func refusedPasskey(index: Int) throws {
    let pairing = PairingCase.all[index]
    let room = try pairing.room()
    room.types = { _, _ in nil }
    room.pair()
    room.run(for: .seconds(2))
    let typing = pairing.method.types(.central) ? 1 : 0
    room.room.hosts[typing].answerPairing(room.handles[typing], .refuse)
    room.run(for: .seconds(1))
    equal(room.errors(typing), [.failed(.passkeyEntryFailed)])
    equal(room.errors(1 - typing), [.refused(.passkeyEntryFailed)])
    // The next attempt may succeed.
    room.types = { _, shown in shown }
    room.pair()
    room.run(for: .seconds(5))
    expect(room.level(0) == pairing.level && room.level(1) == pairing.level)
  }

  @Test("Users who never answer: both ends time out after 30 s, and the link pairs no more", arguments: [2, 5, 11])
  func timeout(index: Int) throws {
    let room = try PairingCase.all[index].room()
    room.types = { _, _ in nil }
    room.acceptsNumber = [nil, nil]
    room.pair()
    room.run(for: .seconds(25))
    expect(room.errors(0) == [] && room.errors(1) == [])
    room.run(for: .seconds(10))
    expect(room.errors(0) == [.timeout] && room.errors(1) == [.timeout])
    room.pair()
    room.pair(from: 0)
    room.run(for: .seconds(35))
    expect(room.errors(0) == [.timeout] && room.errors(1) == [.timeout])
    room.part()
    room.types = { _, shown in shown }
    room.acceptsNumber = [true, true]
  }

  @Test("A link that is lost in the middle of a pairing ends it, and the next link pairs", arguments: PairingCase.all)
  func lostLink(_ pairing: PairingCase) throws {
    for span in [15, 60, 120, 200, 400] {
      let room = try pairing.room()
      room.pair()
      room.run(for: .milliseconds(Int64(span)))
      room.part()
      room.run(for: .seconds(1))
      try room.connect()
      room.run(for: .seconds(2))
      if room.level(1) == .none { room.pair() }
      room.run(for: .seconds(5))
      expect(room.level(0) == pairing.level && room.level(1) == pairing.level, "after \(span) ms")
    }
  }
}

extension Int {
  /// The role of a device of `PairingRoom`.
  fileprivate var role: HCI.Role { self == 1 ? .central : .peripheral }
}
