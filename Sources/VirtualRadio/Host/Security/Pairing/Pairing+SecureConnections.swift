import BluetoothWire
import LinkCrypto

/// Phase 2 of LE Secure Connections (Core v5.4, Vol 3, Part H, 2.3.5.6 and Appendix C.2.2).
extension Pairing {
  // MARK: Public keys (2.3.5.6.1)

  mutating func publicKeyIsKnown() {
    sendResponse()
    step = .publicKey
    if role == .central { send(.pairingPublicKey(ownPublicKey)) }
  }

  /// A key whose X coordinate is the own one has been sent back, and would make both ends alike; the published key
  /// lets everybody follow. Whether a key is a point of the curve, the controller finds.
  mutating func receivePublicKey(_ key: [UInt8]) {
    let isDebug = key == P256KeyPair.debug.publicKey
    guard !isDebug || configuration.allowsDebugKey, key.prefix(32) != ownPublicKey.prefix(32) || isDebug else {
      return fail(.invalidParameters)
    }
    peerPublicKey = key
    if role == .peripheral { send(.pairingPublicKey(ownPublicKey)) }
    wait = .secret
    emit(.generateSecret(publicKey: key))
  }

  mutating func secretIsKnown() { askForPasskey() }

  // MARK: Confirm and random values (2.3.5.6.2, 2.3.5.6.3)

  mutating func beginSecureRounds() {
    guard method.isPasskey else {
      ownConfirm = []
      guard role == .peripheral else { return step = .confirm }
      step = .random
      return send(.pairingConfirm(secureConfirm()))
    }
    beginRound()
  }

  private mutating func beginRound() {
    ownConfirm = secureConfirm()
    step = .confirm
    if role == .central { send(.pairingConfirm(ownConfirm)) }
  }

  mutating func secureConfirmReceived() {
    step = .random
    if role == .central {
      send(.pairingRandom(randoms.nonce(round)))
    } else {
      send(.pairingConfirm(ownConfirm))
    }
  }

  mutating func secureRandomReceived() {
    // Without a passkey only the responder has confirmed a value.
    if method.isPasskey || role == .central {
      let expected = SecurityToolbox.f4(peerX, ownX, random: peerRandom, bit)
      guard peerConfirm == expected else { return fail(.confirmValueFailed) }
    }
    if role == .peripheral { send(.pairingRandom(randoms.nonce(round))) }
    if method.isPasskey, round + 1 < Self.passkeyRounds {
      round += 1
      return beginRound()
    }
    guard method == .numericComparison else { return beginCheck() }
    wait = .answer
    emit(.confirm(comparedNumber))
  }

  mutating func numberIsConfirmed() { beginCheck() }

  private var ownX: [UInt8] { Array(ownPublicKey.prefix(32)) }
  private var peerX: [UInt8] { Array(peerPublicKey.prefix(32)) }

  /// `rai` or `rbi`: a bit of the passkey, the least significant one first, with bit 7 set; zero without a passkey.
  private var bit: UInt8 { method.isPasskey ? 0x80 | UInt8(passkey >> UInt32(round) & 1) : 0 }

  private func secureConfirm() -> [UInt8] { SecurityToolbox.f4(ownX, peerX, random: randoms.nonce(round), bit) }

  private var initiatorRandom: [UInt8] { role == .central ? randoms.nonce(round) : peerRandom }
  private var responderRandom: [UInt8] { role == .central ? peerRandom : randoms.nonce(round) }

  private var comparedNumber: UInt32 {
    let (initiatorX, responderX) = role == .central ? (ownX, peerX) : (peerX, ownX)
    return SecurityToolbox.g2(initiatorX, responderX, initiatorRandom, responderRandom) % Self.passkeys.upperBound
  }

  // MARK: Checks (2.3.5.6.5)

  private mutating func beginCheck() {
    let keys = SecurityToolbox.f5(
      secret: secret, initiatorRandom: initiatorRandom, responderRandom: responderRandom, initiator: initiator,
      responder: responder)
    macKey = keys.macKey
    secret = keys.longTermKey
    step = .check
    if role == .central { send(.pairingDHKeyCheck(ownCheck)) }
  }

  mutating func receiveCheck(_ value: [UInt8]) {
    guard value == peerCheck else { return fail(.dhKeyCheckFailed) }
    if role == .peripheral { send(.pairingDHKeyCheck(ownCheck)) }
    awaitEncryption(secret)
  }

  private var ownCheck: [UInt8] {
    SecurityToolbox.f6(
      macKey: macKey, randoms.nonce(round), peerRandom, passkeyOctets, capabilities: capabilities(of: role), own, peer)
  }

  private var peerCheck: [UInt8] {
    SecurityToolbox.f6(
      macKey: macKey, peerRandom, randoms.nonce(round), passkeyOctets,
      capabilities: capabilities(of: role == .central ? .peripheral : .central), peer, own)
  }

  /// IO capability, OOB flag and AuthReq as they were sent.
  private func capabilities(of role: HCI.Role) -> [UInt8] {
    Array((role == .central ? request : response)?.octets.prefix(3) ?? [])
  }
}
