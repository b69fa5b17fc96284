import BluetoothWire
import LinkCrypto

/// Phase 2 of LE legacy pairing (Core v5.4, Vol 3, Part H, 2.3.5.5 and Appendix C.2.1).
extension Pairing {
  mutating func beginLegacy() {
    ownConfirm = legacyConfirm(randoms.nonce(0))
    step = .confirm
    if role == .central { send(.pairingConfirm(ownConfirm)) }
  }

  mutating func legacyConfirmReceived() {
    step = .random
    send(role == .central ? .pairingRandom(randoms.nonce(0)) : .pairingConfirm(ownConfirm))
  }

  mutating func legacyRandomReceived() {
    guard legacyConfirm(peerRandom) == peerConfirm else { return fail(.confirmValueFailed) }
    let own = randoms.nonce(0)
    if role == .peripheral { send(.pairingRandom(own)) }
    awaitEncryption(
      SecurityToolbox.s1(
        key: passkeyOctets, responderRandom: role == .central ? peerRandom : own,
        initiatorRandom: role == .central ? own : peerRandom))
  }

  /// Both confirm values are made of the same values, except for the random one. The Temporary Key is the passkey.
  private func legacyConfirm(_ random: [UInt8]) -> [UInt8] {
    guard let request, let response else { return [] }
    return SecurityToolbox.c1(
      key: passkeyOctets, random: random, request: SMP.PDU.pairingRequest(request).octets,
      response: SMP.PDU.pairingResponse(response).octets, initiator: initiator, responder: responder)
  }
}
