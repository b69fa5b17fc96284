import BluetoothWire
import SimKernel

/// PDUs of the Security Manager, and what a pairing does.
extension HostStack {
  /// Takes an L2CAP frame of the Security Manager's channel, header included. A stack without security refuses: a
  /// Pairing Request and a Security Request get Pairing Failed, Pairing Not Supported.
  ///
  /// Spec: Core v5.4, Vol 3, Part H, 3.3, 3.5.1, 3.5.5, 3.6.7.
  func receiveSecurity(_ link: Link, _ frame: [UInt8]) {
    guard frame.count > L2CAP.headerLength else { return violation(link, "empty Security Manager PDU") }
    let code = frame[L2CAP.headerLength]
    guard let protection = link.protection else { return refuseSecurity(link, code) }
    // After a timeout nothing of the channel counts (3.4).
    if protection.isClosed { return }
    // Reserved codes are ignored (3.3).
    guard SMP.PDU.length(of: code) != nil else {
      return violation(link, "Security Manager PDU of reserved code 0x\(String(code, radix: 16))")
    }
    do throws(WireError) {
      let pdu = try SMP.PDU(decoding: frame, from: L2CAP.headerLength)
      if protection.pairing != nil {
        protection.pairing?.receive(pdu)
        performPairing(link)
      } else {
        receiveUnpaired(link, pdu)
      }
    } catch {
      violation(link, "Security Manager PDU refused: \(error.description)")
      if protection.pairing != nil {
        protection.pairing?.receiveUnreadable()
        performPairing(link)
      } else if code == 0x01, link.role == .peripheral {
        refusePairing(link, .invalidParameters)
      }
    }
  }

  /// A link of a stack that does not pair.
  private func refuseSecurity(_ link: Link, _ code: UInt8) {
    let isPairingRequest = code == 0x01 && link.role == .peripheral
    let isSecurityRequest = code == 0x0B && link.role == .central
    guard isPairingRequest || isSecurityRequest else {
      return violation(link, "Security Manager PDU 0x\(String(code, radix: 16)) without a pairing")
    }
    send(
      link,
      L2CAP.Frame(
        channel: .securityManager, payload: SMP.PDU.pairingFailed(.pairingNotSupported).octets
      ).octets, .other)
  }

  private func receiveUnpaired(_ link: Link, _ pdu: SMP.PDU) {
    switch (link.role, pdu) {
    case (.peripheral, .pairingRequest(let features)):
      guard let settings = configuration.security else { return }
      var pairing = makePairing(link, settings)
      pairing.begin(answering: features)
      link.protection?.pairing = pairing
      emit(.pairingBegan(link.handle))
      // The timer begins with the request (3.4).
      if !pairing.isOver { setSecurityTimer(link, now + Self.securityTimeout) }
      performPairing(link)
    case (.central, .securityRequest(let requirements)): receiveSecurityRequest(link, requirements)
    case (_, .pairingFailed(let reason)):
      // The answer to a Security Request; without one it changes nothing.
      guard let protection = link.protection, protection.deadline != .distantFuture else {
        return violation(link, "Pairing Failed without a pairing")
      }
      setSecurityTimer(link, .distantFuture)
      emit(.securityChanged(link.handle, protection.level, error: .refused(reason)))
    case (.central, .pairingRequest), (.peripheral, .securityRequest):
      violation(link, "Security Manager PDU 0x\(String(pdu.code, radix: 16)) of the wrong role")
      refusePairing(link, .commandNotSupported)
    default: violation(link, "Security Manager PDU 0x\(String(pdu.code, radix: 16)) without a pairing")
    }
  }

  /// Without a pairing there is nothing for which a timer would run.
  private func refusePairing(_ link: Link, _ reason: SMP.FailureReason) {
    sendSecurity(link, .pairingFailed(reason))
    setSecurityTimer(link, .distantFuture)
  }

  /// The key of a bond is enough when it is as good as what the peripheral asks for (2.4.6); otherwise the link pairs.
  /// A link that is encrypted well enough stays as it is.
  private func receiveSecurityRequest(_ link: Link, _ requirements: SMP.AuthenticationRequirements) {
    func suffices(_ level: SecurityLevel) -> Bool {
      level.protection >= (requirements.contains(.authentication) ? .authenticated : .encrypted)
    }
    guard let protection = link.protection, !suffices(protection.level) else { return }
    // Encryption that was asked for as the link was made has no answer yet.
    if commands.contains(.encryption(link.handle)) || protection.isEncrypting, suffices(protection.coming) { return }
    if let bond = bond(with: link.peer), let key = bond.keyAsCentral, suffices(bond.level(of: key)) {
      encrypt(link.handle)
    } else {
      pair(link.handle)
    }
  }

  // MARK: What a pairing does

  /// Does what the pairing of a link has asked for, until it asks for nothing.
  func performPairing(_ link: Link) {
    guard let protection = link.protection else { return }
    while let effect = protection.pairing?.takeEffect() {
      switch effect {
      case .send(let pdu): sendSecurity(link, pdu)
      case .draw(let count): drawRandoms(link, protection, count)
      case .readPublicKey: readPublicKey(link, protection)
      case .generateSecret(let key):
        security.secrets.append((link.handle, key))
        generateNextSecret()
      case .confirm(let number): emit(.pairingConfirm(link.handle, number))
      case .passkeyNeeded: emit(.passkeyNeeded(link.handle))
      case .passkeyShown(let passkey): emit(.passkeyShown(link.handle, passkey))
      case .encrypt(let key):
        protection.coming = protection.pairing?.level ?? .none
        enableEncryption(link, by: key)
      case .paired(let bond):
        pairingIsOver(link, protection)
        if let bond {
          keep(bond)
          restoreWatcher(link)
        }
        emit(.paired(link.handle, bond?.identity))
      case .ended(let error):
        pairingIsOver(link, protection)
        emit(.securityChanged(link.handle, protection.level, error: error))
      }
    }
  }

  private func pairingIsOver(_ link: Link, _ protection: LinkProtection) {
    protection.pairing = nil
    protection.drawn = []
    protection.wanted = 0
    setSecurityTimer(link, .distantFuture)
    security.dropSecrets(of: link.handle)
  }

  private func drawRandoms(_ link: Link, _ protection: LinkProtection, _ count: Int) {
    protection.drawn = []
    protection.wanted = count
    for _ in 0..<(count + 7) / 8 { enqueue(.security(.leRand), .randomDraw(link.handle)) }
  }

  /// A new key pair when no other pairing uses the one there is.
  private func readPublicKey(_ link: Link, _ protection: LinkProtection) {
    switch security.localKey {
    case .reading: return
    case .known(let key) where links.contains { $0 !== link && $0.protection?.pairing?.usesLocalKey == true }:
      protection.pairing?.publicKeyRead(key)
    default:
      security.localKey = .reading
      enqueue(.security(.leReadLocalP256PublicKey), .publicKey)
    }
  }

  func generateNextSecret() {
    guard !security.isGenerating, let next = security.secrets.first else { return }
    security.isGenerating = true
    enqueue(.security(.leGenerateDHKey(publicKey: next.publicKey)), .secret)
  }
}
