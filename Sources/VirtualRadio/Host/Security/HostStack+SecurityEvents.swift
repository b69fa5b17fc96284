import BluetoothWire
import SimKernel

/// What the controller says of encryption and keys.
extension HostStack {
  /// Encryption change and encryption key refresh complete, beside the events that every stack reads
  /// (Vol 4, Part E, 7.3.1).
  static let securityEventMask: UInt64 = 1 << 7 | 1 << 47
  /// LE read local P-256 public key complete and LE generate DHKey complete (Vol 4, Part E, 7.8.1).
  static let securityLEEventMask: UInt64 = 1 << 7 | 1 << 8

  func receive(_ event: HCI.EncryptionEvent) {
    switch event {
    case .leLongTermKeyRequest(let handle, let random, let diversifier):
      if let link = link(handle) { answerKeyRequest(link, random: random, diversifier: diversifier) }
    case .encryptionChange(let handle, let status, let enabled):
      encryptionEnded(handle, status, isOn: enabled != 0)
    case .encryptionKeyRefreshComplete(let handle, let status): encryptionEnded(handle, status, isOn: true)
    case .leReadLocalP256PublicKeyComplete(let status, let key): publicKeyRead(status == .success ? key : nil)
    case .leGenerateDHKeyComplete(let status, let key): secretGenerated(status == .success ? key : nil)
    case .authenticatedPayloadTimeoutExpired: break
    }
  }

  /// The key of the pairing that goes on, of the bond, or none: then the peer is told so (Vol 4, Part E, 7.8.26).
  private func answerKeyRequest(_ link: Link, random: UInt64, diversifier: UInt16) {
    if let (key, level) = longTermKey(link, random: random, diversifier: diversifier) {
      link.protection?.coming = level
      return enqueue(
        .security(.leLongTermKeyRequestReply(link.handle, longTermKey: key.value)), .link(link.handle))
    }
    enqueue(.security(.leLongTermKeyRequestNegativeReply(link.handle)), .link(link.handle))
    guard let protection = link.protection else { return }
    emit(.securityChanged(link.handle, protection.level, error: .encryption(.pinOrKeyMissing)))
  }

  private func longTermKey(_ link: Link, random: UInt64, diversifier: UInt16) -> (LongTermKey, SecurityLevel)? {
    guard let protection = link.protection else { return nil }
    if let pairing = protection.pairing {
      guard pairing.step == .encryption, random == 0, diversifier == 0 else { return nil }
      return pairing.sessionKey.map { ($0, pairing.level) }
    }
    guard let bond = bond(with: link.peer), let key = bond.keyAsPeripheral, key.random == random,
      key.diversifier == diversifier
    else { return nil }
    return (key, bond.level(of: key))
  }

  private func encryptionEnded(_ handle: HCI.ConnectionHandle, _ status: HCI.ErrorCode, isOn: Bool) {
    guard let link = link(handle), let protection = link.protection else { return }
    protection.isEncrypting = false
    let isPairing = protection.pairing?.step == .encryption
    if status == .success {
      protection.level = isOn ? protection.coming : .none
      // Encryption may be the answer to a Security Request, whose timer ends with it.
      if protection.pairing == nil { setSecurityTimer(link, .distantFuture) }
      emit(.securityChanged(handle, protection.level, error: nil))
      if isOn { restoreWatcher(link) }
    } else if !isPairing {
      emit(.securityChanged(handle, protection.level, error: .encryption(status)))
    }
    guard isPairing, isOn || status != .success else { return }
    protection.pairing?.encryptionEnded(status)
    performPairing(link)
  }

  // MARK: Answers to commands

  /// Status and return parameters of HCI_LE_Rand.
  func randomDrawn(_ handle: HCI.ConnectionHandle, _ status: HCI.ErrorCode, _ parameters: [UInt8]) {
    guard let link = link(handle), let protection = link.protection, protection.wanted > 0 else { return }
    if status == .success, parameters.count == 8 {
      protection.drawn += parameters
      guard protection.drawn.count >= protection.wanted else { return }
    }
    let drawn = protection.drawn
    let isEnough = drawn.count >= protection.wanted
    let wanted = protection.wanted
    protection.drawn = []
    protection.wanted = 0
    protection.pairing?.randomsDrawn(isEnough ? Array(drawn.prefix(wanted)) : nil)
    performPairing(link)
  }

  /// HCI_LE_Read_Local_P-256_Public_Key has its answer; nil for a refusal.
  func publicKeyRead(_ key: [UInt8]?) {
    guard security.localKey == .reading else { return }
    security.localKey = key.map { .known($0) } ?? .none
    for link in links {
      link.protection?.pairing?.publicKeyRead(key)
      performPairing(link)
    }
  }

  /// HCI_LE_Generate_DHKey has its answer; nil for a refusal, and for a key that is not a point of the curve.
  func secretGenerated(_ key: [UInt8]?) {
    guard security.isGenerating, !security.secrets.isEmpty else { return }
    security.isGenerating = false
    let handle = security.secrets.removeFirst().handle
    if let link = link(handle) {
      link.protection?.pairing?.secretGenerated(key)
      performPairing(link)
    }
    generateNextSecret()
  }

  /// HCI_LE_Enable_Encryption was refused, or encryption is on its way.
  func encryptionAnswered(_ handle: HCI.ConnectionHandle, _ status: HCI.ErrorCode) {
    guard let link = link(handle) else { return }
    if status == .success { link.protection?.isEncrypting = true } else { encryptionEnded(handle, status, isOn: true) }
  }
}
