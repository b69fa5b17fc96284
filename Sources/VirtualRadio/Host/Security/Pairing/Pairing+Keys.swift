import BluetoothWire
import LinkCrypto

/// What the peer has distributed so far.
struct ReceivedKeys {
  var longTermKey: [UInt8]?
  var diversifier: UInt16 = 0
  var random: UInt64 = 0
  var identityResolvingKey: [UInt8]?
  var identity: BluetoothAddress?
  var signingKey: [UInt8]?
}

/// Phase 3: keys are distributed over the encrypted link, those of the responder first.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.4.3 and 3.6.1.
extension Pairing {
  /// Encryption has begun by `sessionKey`, or did not.
  mutating func encryptionEnded(_ status: HCI.ErrorCode) {
    guard step == .encryption else { return }
    guard status == .success else { return end(.encryption(status)) }
    step = .keys
    expectedKeys = codes(of: distributed(by: role == .central ? .peripheral : .central))
    if role == .peripheral { sendKeys() }
    if expectedKeys.isEmpty { keysReceived() }
  }

  /// What a side distributes: what both Pairing PDUs name. With Secure Connections there is one LTK already.
  private func distributed(by role: HCI.Role) -> SMP.KeyDistribution {
    guard let request, let response else { return [] }
    var keys =
      role == .central
      ? request.initiatorKeys.intersection(response.initiatorKeys)
      : request.responderKeys.intersection(response.responderKeys)
    keys.formIntersection([.encryption, .identity, .signing])
    if isSecure { keys.remove(.encryption) }
    return keys
  }

  /// The codes of the PDUs, in the order that the specification demands.
  private func codes(of keys: SMP.KeyDistribution) -> [UInt8] {
    (keys.contains(.encryption) ? [0x06, 0x07] : []) + (keys.contains(.identity) ? [0x08, 0x09] : [])
      + (keys.contains(.signing) ? [0x0A] : [])
  }

  private mutating func sendKeys() {
    let keys = distributed(by: role)
    if keys.contains(.encryption) {
      let key = randoms.longTermKey(size: keySize)
      send(.encryptionInformation(key.value))
      send(.centralIdentification(diversifier: key.diversifier, random: key.random))
    }
    if keys.contains(.identity) {
      send(.identityInformation(configuration.identityResolvingKey))
      send(.identityAddressInformation(own))
    }
    if keys.contains(.signing) { send(.signingInformation(randoms.signingKey)) }
  }

  mutating func receiveKey(_ pdu: SMP.PDU) {
    guard expectedKeys.first == pdu.code else { return fail(.unspecifiedReason) }
    expectedKeys.removeFirst()
    switch pdu {
    case .encryptionInformation(let key): receivedKeys.longTermKey = key
    case .centralIdentification(let diversifier, let random):
      receivedKeys.diversifier = diversifier
      receivedKeys.random = random
    case .identityInformation(let key): receivedKeys.identityResolvingKey = key
    case .identityAddressInformation(let address):
      // An identity is public or static random (3.6.5).
      guard address.kind == .publicDevice || address.bits >> 46 == 0b11 else { return fail(.invalidParameters) }
      receivedKeys.identity = address
    case .signingInformation(let key): receivedKeys.signingKey = key
    default: return
    }
    if expectedKeys.isEmpty { keysReceived() }
  }

  private mutating func keysReceived() {
    if role == .central { sendKeys() }
    step = .over
    emit(.paired(keepsKeys ? bond : nil))
  }

  private var bond: Bond {
    var bond = Bond(
      identity: receivedKeys.identity ?? peer, isAuthenticated: method.isAuthenticated, isSecureConnections: isSecure)
    if let key = receivedKeys.identityResolvingKey, key.contains(where: { $0 != 0 }) { bond.identityResolvingKey = key }
    bond.peerSigningKey = receivedKeys.signingKey
    let keys = distributed(by: role)
    if keys.contains(.signing) { bond.ownSigningKey = randoms.signingKey }
    if isSecure {
      bond.keyAsCentral = sessionKey
      bond.keyAsPeripheral = sessionKey
      return bond
    }
    let received = receivedKeys.longTermKey.map {
      LongTermKey(
        value: SecurityToolbox.shortened($0, to: keySize), diversifier: receivedKeys.diversifier,
        random: receivedKeys.random, size: keySize)
    }
    let distributed = keys.contains(.encryption) ? randoms.longTermKey(size: keySize) : nil
    // A key is used on links on which its distributor is the peripheral (2.4.4).
    bond.keyAsCentral = received
    bond.keyAsPeripheral = distributed
    return bond
  }
}
