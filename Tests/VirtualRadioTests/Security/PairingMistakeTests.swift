import BluetoothWire
import Expectations
import LinkCrypto
import SimKernel
import Testing

@testable import VirtualRadio

/// One pairing at a time without a radio: what one end sends, the test hands to the other, or something else.
struct PairingDuo {
  var ends: [HCI.Role: Pairing] = [:]
  var sent: [HCI.Role: [SMP.PDU]] = [.central: [], .peripheral: []]
  var outcomes: [HCI.Role: Pairing.Effect] = [:]
  var keys: [HCI.Role: P256KeyPair] = [:]
  var random = RandomStream(seed: 1, component: "test", purpose: "pairing")
  /// Changes a PDU on its way from a role.
  var change: (HCI.Role, SMP.PDU) -> SMP.PDU = { $1 }
  private var shown: UInt32 = 0
  private var encrypts = false
  private var typing: [HCI.Role] = []

  init(_ central: SecurityConfiguration, _ peripheral: SecurityConfiguration) {
    let addresses = (1...2).map { BluetoothAddress(kind: .random, bits: 0xC000_0000_0000 + UInt64($0)) }
    for role in [HCI.Role.central, .peripheral] {
      let index = role == .central ? 0 : 1
      ends[role] = Pairing(
        role: role, own: addresses[index], peer: addresses[1 - index],
        configuration: role == .central ? central : peripheral, hasCurve: true)
      keys[role] = P256KeyPair.draw(from: &random)
    }
  }

  mutating func run() {
    ends[.central]?.begin()
    var isBusy = true
    while isBusy {
      isBusy = false
      for role in [HCI.Role.central, .peripheral] {
        while let effect = ends[role]?.takeEffect() {
          isBusy = true
          perform(effect, role)
        }
      }
      if !isBusy, !typing.isEmpty {
        // The other end has shown the number by now, and may have sent more.
        isBusy = true
        ends[typing.removeFirst()]?.answer(.passkey(shown))
      } else if !isBusy, encrypts {
        (encrypts, isBusy) = (false, true)
        for role in [HCI.Role.central, .peripheral] { ends[role]?.encryptionEnded(.success) }
      }
    }
  }

  private mutating func perform(_ effect: Pairing.Effect, _ role: HCI.Role) {
    let other: HCI.Role = role == .central ? .peripheral : .central
    switch effect {
    case .send(let original):
      let pdu = change(role, original)
      sent[role]?.append(pdu)
      if case .pairingRequest(let features) = pdu, ends[other]?.step == .idle {
        ends[other]?.begin(answering: features)
      } else {
        ends[other]?.receive(pdu)
      }
    case .draw(let count): ends[role]?.randomsDrawn(random.octets(count))
    case .readPublicKey: ends[role]?.publicKeyRead(keys[role]?.publicKey)
    case .generateSecret(let key): ends[role]?.secretGenerated(keys[role]?.sharedSecret(with: key))
    case .confirm: ends[role]?.answer(.accept)
    case .passkeyShown(let number): shown = number
    case .passkeyNeeded: typing.append(role)
    case .encrypt: encrypts = true
    case .paired, .ended: outcomes[role] = effect
    }
  }

  func isPaired(_ role: HCI.Role) -> Bool { if case .paired = outcomes[role] { true } else { false } }
}

@Suite("Mistakes of a peer in a pairing, and their reasons (Core v5.4, Vol 3, Part H, 3.5.5)")
struct PairingMistakeTests {
  static let screens: SecurityConfiguration = {
    var settings = SecurityConfiguration()
    settings.ioCapability = .displayYesNo
    settings.asksForAuthentication = true
    return settings
  }()
  static let typing: SecurityConfiguration = {
    var settings = screens
    settings.ioCapability = .keyboardOnly
    return settings
  }()

  private static func legacy(_ settings: SecurityConfiguration) -> SecurityConfiguration {
    var settings = settings
    settings.offersSecureConnections = false
    return settings
  }

  private static func duos(_ index: Int) -> PairingDuo {
    switch index {
    case 0: PairingDuo(screens, screens)
    case 1: PairingDuo(screens, typing)
    case 2: PairingDuo(SecurityConfiguration(), SecurityConfiguration())
    case 3: PairingDuo(legacy(screens), screens)
    default: PairingDuo(legacy(screens), typing)
    }
  }

  @Test("Without a change every duo pairs", arguments: 0...4)
  func unchanged(index: Int) {
    var duo = Self.duos(index)
    duo.run()
    expect(duo.isPaired(.central) && duo.isPaired(.peripheral))
  }

  /// A bit of one PDU is turned over on its way, which must not end in a pairing at both ends with different keys.
  @Test("A changed value fails with the reason of its clause", arguments: 0...4)
  func changedValues(index: Int) {
    let reasons: [UInt8: Set<SMP.FailureReason>] = [
      0x03: [.confirmValueFailed], 0x04: [.confirmValueFailed, .dhKeyCheckFailed], 0x0C: [.invalidParameters],
      0x0D: [.dhKeyCheckFailed],
    ]
    for code in [0x03, 0x04, 0x0C, 0x0D] as [UInt8] {
      for role in [HCI.Role.central, .peripheral] {
        var duo = Self.duos(index)
        var isChanged = false
        duo.change = { from, pdu in
          guard from == role, pdu.code == code, !isChanged else { return pdu }
          isChanged = true
          var octets = pdu.octets
          octets[5] ^= 0x10
          return (try? SMP.PDU(decoding: octets)) ?? pdu
        }
        duo.run()
        guard isChanged else { continue }
        let failures = (duo.sent[.central]! + duo.sent[.peripheral]!).compactMap {
          if case .pairingFailed(let reason) = $0 { reason } else { nil }
        }
        equal(failures.count, 1)
        expect(failures.allSatisfy { reasons[code]!.contains($0) }, "code \(code) of \(role): \(failures)")
        expect(!duo.isPaired(.central) && !duo.isPaired(.peripheral))
      }
    }
  }

  @Test("A peer's own key that is sent back is refused, and so is a published one unless it is allowed")
  func keys() {
    for role in [HCI.Role.central, .peripheral] {
      let other: HCI.Role = role == .central ? .peripheral : .central
      var duo = Self.duos(0)
      let reflected = duo.keys[role]!.publicKey
      duo.change = { from, pdu in from == other && pdu.code == 0x0C ? .pairingPublicKey(reflected) : pdu }
      duo.run()
      equal(duo.outcomes[role], .ended(.failed(.invalidParameters)))
      // Only X sent back, with the other Y of the same X: CVE-2020-26558 in another form.
      duo = Self.duos(0)
      let mirrored = Array(duo.keys[role]!.publicKey.prefix(32)) + duo.keys[other]!.publicKey.suffix(32)
      duo.change = { from, pdu in from == other && pdu.code == 0x0C ? .pairingPublicKey(mirrored) : pdu }
      duo.run()
      equal(duo.outcomes[role], .ended(.failed(.invalidParameters)))
      for allows in [false, true] {
        var settings = Self.screens
        settings.allowsDebugKey = allows
        duo = PairingDuo(settings, settings)
        duo.keys[other] = .debug
        duo.run()
        equal(duo.isPaired(role), allows)
        if !allows { equal(duo.outcomes[role], .ended(.failed(.invalidParameters))) }
      }
    }
  }

  /// CVE-2018-5383: with a Y coordinate of zero the DHKey would be guessed in half of all pairings.
  @Test("A public key that is not on the curve is refused")
  func invalidCurve() {
    for role in [HCI.Role.central, .peripheral] {
      var duo = Self.duos(0)
      duo.change = { from, pdu in
        guard from == role, case .pairingPublicKey(let key) = pdu else { return pdu }
        return .pairingPublicKey(Array(key.prefix(32)) + [UInt8](repeating: 0, count: 32))
      }
      duo.run()
      expect(!duo.isPaired(.central) && !duo.isPaired(.peripheral))
      expect(duo.outcomes.values.contains(.ended(.failed(.invalidParameters))))
    }
  }

  @Test("A confirm value that is sent back is refused (CVE-2020-26557)")
  func reflectedConfirm() {
    for index in [1, 3, 4] {
      var duo = Self.duos(index)
      var own: SMP.PDU?
      duo.change = { from, pdu in
        guard pdu.code == 0x03 else { return pdu }
        if from == .central { own = pdu }
        return own ?? pdu
      }
      duo.run()
      equal(duo.outcomes[.central], .ended(.failed(.confirmValueFailed)))
    }
  }

  @Test("Features out of range are Invalid Parameters, a short key is Encryption Key Size")
  func features() {
    let changes: [(SMP.FailureReason, (inout SMP.PairingFeatures) -> Void)] = [
      (.invalidParameters, { $0.ioCapability = SMP.IOCapability(rawValue: 5) }),
      (.invalidParameters, { $0.oobDataFlag = 2 }), (.invalidParameters, { $0.maximumKeySize = 6 }),
      (.invalidParameters, { $0.maximumKeySize = 17 }), (.encryptionKeySize, { $0.maximumKeySize = 15 }),
    ]
    for (reason, apply) in changes {
      for role in [HCI.Role.central, .peripheral] {
        var settings = Self.screens
        settings.keySizes = 16...16
        var duo = PairingDuo(settings, settings)
        duo.change = { from, pdu in
          switch pdu {
          case .pairingRequest(var features) where from == role:
            apply(&features)
            return .pairingRequest(features)
          case .pairingResponse(var features) where from == role:
            apply(&features)
            return .pairingResponse(features)
          default: return pdu
          }
        }
        duo.run()
        equal(duo.outcomes[role == .central ? .peripheral : .central], .ended(.failed(reason)))
      }
    }
  }

  @Test("A responder that names keys nobody asked for is refused")
  func unaskedKeys() {
    var duo = Self.duos(0)
    duo.change = { _, pdu in
      guard case .pairingResponse(var features) = pdu else { return pdu }
      features.responderKeys = [.encryption, .identity, .signing]
      return .pairingResponse(features)
    }
    duo.run()
    equal(duo.outcomes[.central], .ended(.failed(.invalidParameters)))
  }

  @Test("Changed features of a request are noticed at the latest by the check of Secure Connections and by c1")
  func changedFeatures() {
    for index in [0, 1, 2, 3, 4] {
      var duo = Self.duos(index)
      duo.change = { _, pdu in
        guard case .pairingRequest(var features) = pdu else { return pdu }
        features.requirements.formSymmetricDifference(.keypress)
        return .pairingRequest(features)
      }
      duo.run()
      expect(!duo.isPaired(.central) && !duo.isPaired(.peripheral))
    }
  }

  @Test("PDUs out of order end a pairing with Unspecified Reason; keys before encryption are never taken")
  func outOfOrder() {
    let others: [SMP.PDU] = [
      .encryptionInformation([UInt8](repeating: 1, count: 16)), .identityInformation([UInt8](repeating: 1, count: 16)),
      .pairingDHKeyCheck([UInt8](repeating: 1, count: 16)), .keypressNotification(.cleared),
    ]
    for other in others {
      for code in [0x03, 0x04, 0x0C] as [UInt8] {
        var duo = Self.duos(0)
        duo.change = { from, pdu in from == .central && pdu.code == code ? other : pdu }
        duo.run()
        guard duo.sent[.central]!.contains(other) else { continue }
        equal(duo.outcomes[.peripheral], .ended(.failed(.unspecifiedReason)))
      }
    }
  }

  @Test("Two of the PDUs that come while a user thinks are kept, and a third one ends the pairing")
  func held() {
    var pairing = Pairing(
      role: .peripheral, own: BluetoothAddress(kind: .random, bits: 1), peer: BluetoothAddress(kind: .random, bits: 2),
      configuration: Self.typing, hasCurve: false)
    pairing.begin(
      answering: .init(
        ioCapability: .displayOnly, requirements: .authentication, initiatorKeys: [], responderKeys: []))
    equal(pairing.takeEffect(), .draw(66))
    pairing.randomsDrawn([UInt8](repeating: 7, count: 66))
    guard case .send(.pairingResponse) = pairing.takeEffect() else { return expect(false) }
    equal(pairing.takeEffect(), .passkeyNeeded)
    let confirm = SMP.PDU.pairingConfirm([UInt8](repeating: 1, count: 16))
    for _ in 0..<Pairing.heldLimit { pairing.receive(confirm) }
    expect(!pairing.isOver)
    pairing.receive(confirm)
    equal(pairing.takeEffect(), .send(.pairingFailed(.unspecifiedReason)))
    expect(pairing.isOver)
  }

  @Test("The methods of both tables (Core v5.4, Vol 3, Part H, Tables 2.7 and 2.8)")
  func methods() {
    // Initiator by row, responder by column, both in the order of Table 3.4. J: Just Works, N: Numeric Comparison,
    // i: the initiator types, r: the responder types, b: both type. As bumble.smp (0.0.236) has the tables.
    let secure = ["JJrJr", "JNrJN", "iibJi", "JJJJJ", "iNrJN"]
    let legacy = ["JJrJr", "JJrJr", "iibJi", "JJJJJ", "iirJr"]
    for (rows, isSecure) in [(secure, true), (legacy, false)] {
      for (row, text) in rows.enumerated() {
        for (column, letter) in text.enumerated() {
          let method = PairingMethod(
            SMP.IOCapability(rawValue: UInt8(row)), SMP.IOCapability(rawValue: UInt8(column)), secure: isSecure,
            authenticates: true)
          let letters: [PairingMethod: Character] = [
            .justWorks: "J", .numericComparison: "N", .passkey(initiatorTypes: true, responderTypes: false): "i",
            .passkey(initiatorTypes: false, responderTypes: true): "r",
            .passkey(initiatorTypes: true, responderTypes: true): "b",
          ]
          equal(letters[method], letter, "\(row), \(column), \(isSecure)")
        }
      }
    }
  }
}
