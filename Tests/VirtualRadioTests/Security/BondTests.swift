import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

@Suite("Bonds, security requests, key sizes and configurations (Core v5.4, Vol 3, Part H, 2.4)")
struct BondTests {
  @Test("The next link is encrypted by the key of the bond at once, without a pairing", arguments: PairingCase.all)
  func nextLink(_ pairing: PairingCase) throws {
    let room = try pairing.room()
    room.pair()
    room.run(for: .seconds(5))
    let bonds = room.room.hosts.map(\.bonds)
    room.part()
    try room.connect()
    room.run(for: .seconds(1))
    for device in 0...1 {
      equal(room.level(device), pairing.level)
      equal(room.changes(device), [pairing.level])
      equal(room.paired(device), [])
      equal(room.errors(device), [])
    }
    equal(room.room.hosts.map(\.bonds), bonds)
  }

  @Test("A bond that an owner kept encrypts a link of another life of both devices", arguments: [2, 8])
  func keptBond(index: Int) throws {
    let pairing = PairingCase.all[index]
    let first = try pairing.room()
    first.pair()
    first.run(for: .seconds(5))
    let second = try pairing.room(seed: 99) { _, settings in settings.encryptsBondedLinks = false }
    for device in 0...1 { second.room.hosts[device].bonds = first.room.hosts[device].bonds }
    second.room.hosts[1].encrypt(second.handles[1])
    second.run(for: .seconds(1))
    expect(second.level(0) == pairing.level && second.level(1) == pairing.level)
  }

  @Test("A bond deleted at the peripheral: both ends are told that the key is missing, and pair again")
  func deletedAtPeripheral() throws {
    let pairing = PairingCase.all[0]
    let room = try pairing.room()
    room.pair()
    room.run(for: .seconds(5))
    room.part()
    room.room.hosts[0].forgetBond(RadioBench.address(1))
    try room.connect()
    room.run(for: .seconds(1))
    equal(room.errors(0), [.encryption(.pinOrKeyMissing)])
    equal(room.errors(1), [.encryption(.pinOrKeyMissing)])
    expect(room.level(0) == .none && room.level(1) == .none)
    room.pair()
    room.run(for: .seconds(5))
    expect(room.level(0) == pairing.level && room.level(1) == pairing.level)
    equal(room.room.hosts[1].bonds.count, 1)
  }

  @Test("A bond deleted at the central: nothing is encrypted until somebody asks, and then the link pairs")
  func deletedAtCentral() throws {
    let pairing = PairingCase.all[0]
    let room = try pairing.room()
    room.pair()
    room.run(for: .seconds(5))
    room.part()
    room.room.hosts[1].forgetBond(RadioBench.address(0))
    try room.connect()
    room.run(for: .seconds(1))
    expect(room.changes(0) == [] && room.errors(0) == [] && room.errors(1) == [])
    expect(!room.room.hosts[1].encrypt(room.handles[1]))
    room.pair(from: 0)
    room.run(for: .seconds(5))
    expect(room.paired(0).count == 1 && room.paired(1).count == 1)
    expect(room.level(0) == pairing.level && room.level(1) == pairing.level)
  }

  @Test("A Security Request is answered by encryption when the bond is good enough, otherwise by a pairing")
  func securityRequest() throws {
    for wantsMore in [false, true] {
      let room = try PairingRoom { _, settings in
        settings.ioCapability = .displayYesNo
        settings.encryptsBondedLinks = false
      }
      room.pair()
      room.run(for: .seconds(5))
      equal(room.level(0).protection, .encrypted)
      room.part()
      try room.connect()
      room.run(for: .milliseconds(500))
      equal(room.changes(0), [])
      // The request asks for what the configuration of the peripheral asks for; a raw PDU asks for more.
      if wantsMore {
        room.room.hosts[0].sendPastTap([2, 0, 6, 0, 0x0B, 0x0D], on: room.handles[0])
      } else {
        room.pair(from: 0)
      }
      room.run(for: .seconds(5))
      expect(room.changes(0).count == 1 && room.errors(0) == [])
      equal(room.paired(0).count, (wantsMore ? 1 : 0))
      // Nothing is left that times out.
      room.run(for: .seconds(40))
      expect(room.errors(0) == [] && room.errors(1) == [])
    }
  }

  @Test("The smaller key size counts, and the key is that short", arguments: 7...16)
  func keySizes(size: Int) throws {
    for isSecure in [true, false] {
      let room = try PairingRoom { device, settings in
        settings.offersSecureConnections = isSecure
        settings.keySizes = 7...(device == 0 ? size : 16)
      }
      room.pair()
      room.run(for: .seconds(5))
      let level = SecurityLevel(.encrypted, isSecureConnections: isSecure, keySize: size)
      expect(room.level(0) == level && room.level(1) == level)
      let key = try required(room.room.hosts[1].bonds.first?.keyAsCentral)
      expect(key.size == size && key.value.dropFirst(size).allSatisfy { $0 == 0 })
      room.part()
      try room.connect()
      room.run(for: .seconds(1))
      expect(room.level(0) == level && room.level(1) == level)
    }
  }

  @Test("What a device requires and does not get fails with its reason")
  func requirements() throws {
    let cases: [(SMP.FailureReason, (inout SecurityConfiguration) -> Void)] = [
      (.encryptionKeySize, { $0.keySizes = 16...16 }),
      (.authenticationRequirements, { $0.requiresAuthentication = true }),
      (.authenticationRequirements, { $0.requiresSecureConnections = true }),
    ]
    for (reason, require) in cases {
      for strict in 0...1 {
        let room = try PairingRoom { device, settings in
          if device == strict {
            require(&settings)
          } else {
            settings.keySizes = 7...15
            settings.offersSecureConnections = false
          }
        }
        room.pair()
        room.run(for: .seconds(2))
        equal(room.errors(strict), [.failed(reason)])
        equal(room.errors(1 - strict), [.refused(reason)])
      }
    }
  }

  @Test("Keys are distributed as both want them", arguments: 0...7 as ClosedRange<UInt8>)
  func distribution(bits: UInt8) throws {
    for isSecure in [true, false] {
      let wanted = SMP.KeyDistribution(rawValue: bits)
      let room = try PairingRoom { device, settings in
        settings.offersSecureConnections = isSecure
        settings.distributedKeys = device == 1 ? [.encryption, .identity, .signing, .linkKey] : wanted
        settings.requestedKeys = [.encryption, .identity, .signing, .linkKey]
        settings.identityResolvingKey = [UInt8](repeating: UInt8(device + 1), count: 16)
      }
      room.pair()
      room.run(for: .seconds(5))
      let (peripheral, central) = (room.room.hosts[0].bonds[0], room.room.hosts[1].bonds[0])
      let key: [UInt8]? = wanted.contains(.identity) ? [UInt8](repeating: 1, count: 16) : nil
      equal(central.identityResolvingKey, key)
      equal(peripheral.identityResolvingKey, [UInt8](repeating: 2, count: 16))
      equal((central.peerSigningKey != nil), wanted.contains(.signing))
      equal(central.peerSigningKey, peripheral.ownSigningKey)
      expect(central.ownSigningKey != nil && central.ownSigningKey == peripheral.peerSigningKey)
      equal((central.keyAsCentral != nil), (isSecure || wanted.contains(.encryption)))
      expect(central.keyAsPeripheral != nil && central.keyAsPeripheral == peripheral.keyAsCentral)
    }
  }

  @Test("Without bonding on one side the link is encrypted and nothing is kept", arguments: 0...1)
  func withoutBonding(device: Int) throws {
    let room = try PairingRoom { index, settings in settings.bonds = index != device }
    room.pair()
    room.run(for: .seconds(5))
    expect(room.paired(0) == [nil] && room.paired(1) == [nil])
    expect(room.level(0).protection == .encrypted && room.level(1).protection == .encrypted)
    expect(room.room.hosts[0].bonds == [] && room.room.hosts[1].bonds == [])
  }

  @Test("A further pairing on an encrypted link replaces its key and the bond")
  func again() throws {
    let room = try PairingRoom { _, settings in settings.ioCapability = .displayYesNo }
    room.pair()
    room.run(for: .seconds(5))
    let first = room.room.hosts[1].bonds
    room.pair()
    room.run(for: .seconds(5))
    expect(room.changes(0).count == 2 && room.changes(1).count == 2)
    expect(room.room.hosts[1].bonds.count == 1 && room.room.hosts[1].bonds != first)
    expect(room.errors(0) == [] && room.errors(1) == [])
  }

  @Test("The oldest bond makes room for another one")
  func bondLimit() throws {
    let room = try PairingRoom { _, settings in settings.bondLimit = 2 }
    let others = (5...7).map {
      Bond(identity: RadioBench.address($0), isAuthenticated: false, isSecureConnections: true)
    }
    room.room.hosts[0].bonds = others
    equal(room.room.hosts[0].bonds.map(\.identity), [6, 7].map(RadioBench.address))
    room.pair()
    room.run(for: .seconds(5))
    equal(room.room.hosts[0].bonds.map(\.identity), [7, 1].map(RadioBench.address))
  }

  @Test("A bond is found by a resolvable private address (Core v5.4, Vol 3, Part H, Appendix D.7)")
  func resolvable() {
    var bond = Bond(identity: RadioBench.address(4), isAuthenticated: false, isSecureConnections: true)
    let address = BluetoothAddress(kind: .random, bits: 0x7081_940D_FBAA)
    expect(!bond.matches(address))
    bond.identityResolvingKey = [UInt8].hex("ec0234a3 57c8ad05 341010a6 0a397d9b").reversed()
    expect(bond.matches(address) && bond.matches(RadioBench.address(4)))
    expect(!bond.matches(BluetoothAddress(kind: .random, bits: 0x7081_940D_FBAB)))
    expect(!bond.matches(BluetoothAddress(kind: .publicDevice, bits: 0x7081_940D_FBAA)))
  }

  @Test("A peer that does not pair refuses, and both stay as they were", arguments: 0...1)
  func refusedPairing(device: Int) throws {
    let room = try PairingRoom(change: { index, configuration in
      if index != device { configuration.security = nil }
    })
    room.pair(from: device)
    room.run(for: .seconds(2))
    equal(room.errors(device), [.refused(.pairingNotSupported)])
    expect(room.events[1 - device].allSatisfy { if case .securityChanged = $0 { false } else { true } })
    room.run(for: .seconds(40))
    equal(room.errors(device).count, 1)
  }

  @Test("Three centrals pair with one peripheral at the same time, each with keys of its own")
  func atOnce() throws {
    let room = StackRoom(
      4,
      configure: { _, configuration in
        var settings = SecurityConfiguration()
        settings.ioCapability = .displayYesNo
        settings.asksForAuthentication = true
        configuration.security = settings
      })
    room.onEvent = { device, event in
      if case .pairingConfirm(let handle, _) = event { room.hosts[device].answerPairing(handle, .accept) }
    }
    var handles: [HCI.ConnectionHandle] = []
    for device in 1...3 {
      room.hosts[0].startAdvertising(data: [2, 1, 6], scanResponse: [])
      room.hosts[device].connect(to: RadioBench.address(0))
      room.run(for: .seconds(1))
      for event in room.take(device) { if case .connected(let handle, _) = event { handles.append(handle) } }
    }
    try require(handles.count == 3)
    for device in 1...3 { room.hosts[device].pair(handles[device - 1]) }
    room.run(for: .seconds(5))
    for device in 1...3 {
      let level = room.hosts[device].securityLevel(of: handles[device - 1])
      equal(level, SecurityLevel(.authenticated, isSecureConnections: true))
    }
    let bonds = room.hosts[0].bonds
    equal(Set(bonds.map(\.identity)), Set((1...3).map(RadioBench.address)))
    equal(Set(bonds.map(\.keyAsPeripheral)).count, 3)
  }

  @Test("A radio that is switched off in a pairing forgets it and keeps the bonds", arguments: [0, 1])
  func radioOff(device: Int) throws {
    let pairing = PairingCase.all[2]
    let room = try pairing.room()
    room.pair()
    room.run(for: .seconds(5))
    let bonds = room.room.hosts[device].bonds
    room.pair()
    room.run(for: .milliseconds(80))
    room.room.hosts[device].stop(at: room.room.timeline.now)
    room.run(for: .seconds(6))
    room.room.hosts[device].start(at: room.room.timeline.now)
    equal(room.room.hosts[device].bonds, bonds)
    room.run(for: .seconds(1))
    try room.connect()
    room.run(for: .seconds(2))
    expect(room.level(0) == pairing.level && room.level(1) == pairing.level)
  }

  @Test("A run repeats itself, and another seed has other keys")
  func determinism() throws {
    func bonds(_ seed: UInt64) throws -> [[Bond]] {
      let room = try PairingCase.all[9].room(seed: seed)
      room.pair()
      room.run(for: .seconds(5))
      return room.room.hosts.map(\.bonds)
    }
    try equal(bonds(5), bonds(5))
    try expect(bonds(5) != bonds(6))
  }
}
