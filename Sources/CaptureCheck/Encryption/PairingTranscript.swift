import BluetoothWire
import LinkCrypto

/// What an eavesdropper hears of a pairing, and the keys that it gives away.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.3.5. LE legacy pairing gives its short term key to whoever knows the temporary
/// key, and that has six digits, or none. LE Secure Connections gives nothing away, unless one side uses the key pair
/// that the specification prints for debugging.
struct PairingTranscript {
  private struct Side {
    var confirm: [UInt8]?
    var random: [UInt8]?
    var publicKey: [UInt8]?
  }

  private var request: [UInt8]?
  private var response: [UInt8]?
  private var initiator = Side()
  private var responder = Side()
  /// What the key distribution of each side has said so far.
  private var longTermKey: [UInt8]?
  private var identityKeys: [Bool: [UInt8]] = [:]
  private var frames: [Bool: FrameAssembly] = [:]
  private var found: [KeyRing.LongTermKey]?

  /// A frame of the Security Manager waits for its rest.
  var isOpen: Bool { !frames.isEmpty }

  /// A data PDU in plain.
  /// - Parameters:
  ///   - isStart: the LLID says that a frame begins.
  ///   - fromCentral: nil: nobody knows; the order of the PDUs tells then.
  mutating func take(_ payload: ArraySlice<UInt8>, isStart: Bool, fromCentral: Bool?, _ ring: KeyRing) {
    let side = fromCentral ?? true
    if isStart {
      frames[side] = nil
      guard payload.count >= 4, payload.word(at: 2) == L2CAP.ChannelID.securityManager.rawValue,
        payload.word(at: 0) <= SMP.mtu
      else { return }
      var assembly = FrameAssembly()
      let outcome = assembly.start(payload)
      if assembly.isOpen { frames[side] = assembly }
      if case .frame(_, let octets) = outcome { read(octets, fromCentral, ring) }
    } else if var assembly = frames[side] {
      let outcome = assembly.proceed(payload)
      frames[side] = assembly.isOpen ? assembly : nil
      if case .frame(_, let octets) = outcome { read(octets, fromCentral, ring) }
    }
  }

  private mutating func read(_ octets: ArraySlice<UInt8>, _ fromCentral: Bool?, _ ring: KeyRing) {
    guard let code = octets.first, SMP.PDU.length(of: code) == octets.count else { return }
    let value = Array(octets.dropFirst())
    switch code {
    case 0x01:
      self = PairingTranscript()
      request = Array(octets)
    case 0x02: response = Array(octets)
    case 0x03: note(value, \.confirm, fromCentral)
    case 0x04: note(value, \.random, fromCentral)
    case 0x0C: note(value, \.publicKey, fromCentral)
    case 0x06: longTermKey = value
    case 0x07:
      let fields = OctetFields(octets)
      if let key = longTermKey {
        ring.learn(
          KeyRing.LongTermKey(
            octets: key, origin: .distributed, diversifier: fields.u16(1),
            random: fields.u48(3) | UInt64(fields.u16(9)) << 48))
      }
      longTermKey = nil
    case 0x08: identityKeys[fromCentral ?? true] = value
    case 0x09:
      let kind: BluetoothAddress.Kind = value[0] == 0 ? .publicDevice : .random
      let bits = OctetFields(octets).u48(2)
      if let key = identityKeys[fromCentral ?? true], value[0] <= 1 {
        ring.identities.learn(key, identity: BluetoothAddress(kind: kind, bits: bits))
      }
    default: break
    }
  }

  /// Whose value it is: the initiator's comes first, whatever is repeated.
  private mutating func note(_ value: [UInt8], _ place: WritableKeyPath<Side, [UInt8]?>, _ fromCentral: Bool?) {
    found = nil
    let isInitiators =
      fromCentral ?? (initiator[keyPath: place] == nil || initiator[keyPath: place] == value)
    if isInitiators { initiator[keyPath: place] = value } else { responder[keyPath: place] = value }
  }

  /// The keys that the next session may be encrypted with.
  /// - Parameter ends: of the connection, nil when its beginning is not in the capture.
  mutating func keys(
    _ ends: (initiator: BluetoothAddress, responder: BluetoothAddress)?, _ ring: KeyRing
  ) -> [KeyRing.LongTermKey] {
    if let found { return found }
    let keys = derive(ends, ring)
    found = keys
    return keys
  }

  private func derive(
    _ ends: (initiator: BluetoothAddress, responder: BluetoothAddress)?, _ ring: KeyRing
  ) -> [KeyRing.LongTermKey] {
    guard let request, let response, let own = initiator.random, let other = responder.random else { return [] }
    let size = min(Int(request[4]), Int(response[4]))
    guard SMP.keySizes.contains(size) else { return [] }
    if request[3] & response[3] & 0x08 != 0 {
      guard let ends, let secret = debugSecret else { return [] }
      let keys = SecurityToolbox.f5(
        secret: secret, initiatorRandom: own, responderRandom: other, initiator: ends.initiator,
        responder: ends.responder)
      return [
        KeyRing.LongTermKey(octets: SecurityToolbox.shortened(keys.longTermKey, to: size), origin: .debug)
      ]
    }
    let all = [(octets: PasskeySearch.key(0), origin: KeyOrigin.justWorks)] + ring.temporaryKeys
    let temporary: [(octets: [UInt8], origin: KeyOrigin)]
    if let ends, let (confirm, random) = check {
      func confirms(_ key: [UInt8]) -> Bool {
        SecurityToolbox.c1(
          key: key, random: random, request: request, response: response, initiator: ends.initiator,
          responder: ends.responder) == confirm
      }
      if let right = all.first(where: { confirms($0.octets) }) {
        temporary = [right]
      } else if request[2] & response[2] == 0, ring.passkeySearchesLeft > 0 {
        ring.passkeySearchesLeft -= 1
        let passkey = PasskeySearch.passkey(
          confirm: confirm, random: random, request: request, response: response, initiator: ends.initiator,
          responder: ends.responder)
        temporary = passkey.map { [(PasskeySearch.key($0), .passkey($0))] } ?? []
      } else {
        temporary = []
      }
    } else {
      // Nothing tells the right one but the MIC.
      temporary = all
    }
    return temporary.map {
      let key = SecurityToolbox.s1(key: $0.octets, responderRandom: other, initiatorRandom: own)
      return KeyRing.LongTermKey(octets: SecurityToolbox.shortened(key, to: size), origin: $0.origin)
    }
  }

  /// A confirm value with the random value that it was made of.
  private var check: (confirm: [UInt8], random: [UInt8])? {
    if let confirm = initiator.confirm, let random = initiator.random { return (confirm, random) }
    if let confirm = responder.confirm, let random = responder.random { return (confirm, random) }
    return nil
  }

  private var debugSecret: [UInt8]? {
    guard let own = initiator.publicKey, let other = responder.publicKey else { return nil }
    if own == P256KeyPair.debug.publicKey { return P256KeyPair.debug.sharedSecret(with: other) }
    if other == P256KeyPair.debug.publicKey { return P256KeyPair.debug.sharedSecret(with: own) }
    return nil
  }
}
