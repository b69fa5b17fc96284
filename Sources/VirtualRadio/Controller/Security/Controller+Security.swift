import BluetoothWire
import LinkCrypto
import SimKernel

/// Encryption and keys (Core v5.4, Vol 4, Part E, 7.8.22 … 7.8.26, 7.8.36, 7.8.37).
extension Controller {
  func execute(_ command: HCI.SecurityCommand) {
    let whole = HCI.Command.security(command)
    switch command {
    case .leEncrypt(let key, let plaintext):
      complete(whole, AESBlock.encrypt(key: key.reversed(), block: plaintext.reversed()).reversed())
    case .leRand: complete(whole, radio.keys.random.octets(8))
    case .leEnableEncryption(let handle, let random, let diversifier, let longTermKey):
      enableEncryption(
        whole, handle, EncryptionRequest(longTermKey: longTermKey, random: random, diversifier: diversifier))
    case .leLongTermKeyRequestReply(let handle, let longTermKey):
      answer(whole, handle, longTermKey: longTermKey)
    case .leLongTermKeyRequestNegativeReply(let handle): answer(whole, handle, longTermKey: nil)
    case .leReadLocalP256PublicKey:
      status(whole)
      emit(
        .encryption(
          .leReadLocalP256PublicKeyComplete(status: .success, publicKey: radio.keys.makePair().publicKey)))
    case .leGenerateDHKey(let publicKey): generate(whole, radio.keys.pair, publicKey)
    case .leGenerateDHKeyV2(let publicKey, let type):
      switch type {
      case 0: generate(whole, radio.keys.pair, publicKey)
      case 1: generate(whole, .debug, publicKey)
      default: status(whole, .invalidParameters)
      }
    }
  }

  /// Starts encryption, or refreshes the key of a link that is encrypted (7.8.24).
  private func enableEncryption(_ command: HCI.Command, _ handle: HCI.ConnectionHandle, _ request: EncryptionRequest) {
    guard let (connection, end) = link(handle) else { return status(command, .unknownConnectionIdentifier) }
    guard radio.configuration.supportsEncryption else { return status(command, .unsupportedFeature) }
    // A stream keeps the key with which it was made.
    guard end.role == .central, end.security?.isIdle ?? true,
      !radio.streams.contains(where: { $0.connection === connection })
    else { return status(command, .commandDisallowed) }
    status(command)
    world.startEncryption(request, end, connection)
  }

  /// The host has the Long Term Key, or has it not (7.8.25, 7.8.26).
  private func answer(_ command: HCI.Command, _ handle: HCI.ConnectionHandle, longTermKey: [UInt8]?) {
    guard let (connection, end) = link(handle) else {
      complete(command, status: .unknownConnectionIdentifier, little(handle))
      return
    }
    guard end.role == .peripheral, end.security?.phase == .awaitsKey else {
      complete(command, status: .commandDisallowed, little(handle))
      return
    }
    complete(command, little(handle))
    world.longTermKey(longTermKey, end, connection)
  }

  /// A DHKey with the pair; without one the command comes too early (7.8.37). A remote key that is no point of the
  /// curve gives Invalid HCI Command Parameters and a key of ones.
  private func generate(_ command: HCI.Command, _ pair: P256KeyPair?, _ publicKey: [UInt8]) {
    guard let pair else {
      status(command, .commandDisallowed)
      return
    }
    status(command)
    let secret = pair.sharedSecret(with: publicKey)
    emit(
      .encryption(
        .leGenerateDHKeyComplete(
          status: secret == nil ? .invalidParameters : .success,
          key: secret ?? [UInt8](repeating: 0xFF, count: 32))))
  }
}
