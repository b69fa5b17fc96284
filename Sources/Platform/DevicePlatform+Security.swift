import AppSeam
import BluetoothWire
import VirtualRadio

/// Pairing, which is the platform's business: an app is not asked, and sees only that what was refused works.
///
/// A request that the other end refuses for want of authentication or encryption is kept while the link is encrypted or
/// paired, and made again; without that it fails as it was refused. *Decision*: as phones do; the person answers at
/// once (`PhonePreset.PairingHabits`).
extension DevicePlatform {
  /// Whether the event is about pairing.
  func translateSecurity(_ event: HostEvent) -> Bool {
    switch event {
    case .pairingConfirm(let handle, _):
      host.answerPairing(handle, phone.pairing?.isAccepted == true ? .accept : .refuse)
    // Nobody sees the other device's screen.
    case .passkeyNeeded(let handle): host.answerPairing(handle, .refuse)
    case .pairingBegan(let handle):
      guard let link = link(handle) else { return true }
      link.isPairing = true
      tellBond(link.peer, .pairing)
    case .securityChanged(let handle, let level, let error):
      guard let link = link(handle) else { return true }
      if error != nil { endPairing(link) }
      if link.role == .central, error == .encryption(.pinOrKeyMissing), bondIsLost(link) { return true }
      let isRight = error == nil && level.protection != .none
      let waiting = link.unsecured
      link.unsecured = []
      for request in waiting { if isRight { make(request, link) } else { fail(request, link) } }
      // A new bond is there only with its keys.
      if link.asksToPair, !isRight || host.bond(with: link.peer) != nil { answerPair(link, error) }
    case .paired(let handle, _):
      // What is found from here on may be kept.
      if let link = link(handle) {
        endPairing(link)
        restoreServices(link)
        if link.asksToPair { answerPair(link, nil) }
      }
    case .passkeyShown: break
    default: return false
    }
    return true
  }

  /// A pairing is over, if there was one: watchers are told whether there is a bond now.
  func endPairing(_ link: AppLink) {
    guard link.isPairing else { return }
    link.isPairing = false
    keylessBonds.removeAll { $0.matches(link.peer) }
    tellBond(link.peer, host.bond(with: link.peer) == nil ? .none : .bonded)
  }

  private func tellBond(_ peer: BluetoothAddress, _ state: BondState) {
    if watches.bonds { tell(.gap(.bond(peer, state))) }
  }

  /// What the app wants to know; bonds that there are it is told at once.
  func watch(bonds: Bool, links: Bool) {
    let isNew = bonds && !watches.bonds
    watches = (bonds, links)
    if isNew { for bond in host.bonds + keylessBonds { tellBond(bond.identity, .bonded) } }
  }

  /// The bond goes; links stay as they are.
  func forgetBond(_ identity: BluetoothAddress) {
    let known = links.first { host.bond(with: $0.peer)?.identity == identity }?.peer
    host.forgetBond(identity)
    keylessBonds.removeAll { $0.identity == identity }
    serviceCache.forget(identity)
    tellBond(known ?? identity, .none)
  }

  /// The app wants the link encrypted, whatever it is for.
  func pair(_ link: AppLink) {
    guard phone.pairing != nil else {
      return tell(.gap(.paired(link.id, error: SMP.FailureReason.pairingNotSupported.rawValue)))
    }
    guard host.securityLevel(of: link.handle).protection == .none else {
      return tell(.gap(.paired(link.id, error: nil)))
    }
    if link.asksToPair { return }
    link.asksToPair = true
    // What was refused before has begun to pair.
    if link.unsecured.isEmpty, !host.encrypt(link.handle) { host.pair(link.handle) }
  }

  private func answerPair(_ link: AppLink, _ error: PairingError?) {
    link.asksToPair = false
    let reason: UInt8? =
      switch error {
      case nil: nil
      case .failed(let reason)?, .refused(let reason)?: reason.rawValue
      default: SMP.FailureReason.unspecifiedReason.rawValue
      }
    tell(.gap(.paired(link.id, error: reason)))
  }

  /// Phones whose scenario has them bond pair with a new peer as soon as there is a link; with a known one the stack
  /// encrypts by itself.
  func beginBond(_ link: AppLink) {
    guard link.role == .central, phone.pairing?.pairsLinks == true, host.bond(with: link.peer) == nil else { return }
    host.pair(link.handle)
  }

  /// The peer does not have the key of the bond any more (Core v5.4, Vol 6, Part B, 5.1.3.1). Phones end the link and
  /// keep their own key: until a person removes it there, every link ends so. Androids up to level 35 forget the key
  /// and keep the link; what needs encryption is paired for, and for the app the bond is there until a pairing fails.
  /// - Returns: whether what waits for encryption waits for a pairing now.
  private func bondIsLost(_ link: AppLink) -> Bool {
    let what = "its peer has no key of their bond any more"
    guard phone.lostBond == .pairsAgain, let bond = host.bond(with: link.peer) else {
      observe(.bondLost, link.id, "\(what), and the link ends: 0x06, PIN or key missing")
      link.endReason = .pinOrKeyMissing
      host.disconnect(link.handle, reason: HCI.ErrorCode(0x05))
      return false
    }
    observe(.bondLost, link.id, "\(what), and the phone pairs again: 0x06, PIN or key missing")
    host.forgetBond(bond.identity)
    keylessBonds.append(bond)
    if !link.unsecured.isEmpty || link.asksToPair || phone.pairing?.pairsLinks == true { host.pair(link.handle) }
    return true
  }

  /// A person removes bonds in the settings of the phone, or the phone loses them: links stay as they are.
  func forgetBonds(with peer: Int?) {
    surroundings.observe(FaultEvent.forgetBonds(with: peer), device: index)
    let identities = (host.bonds + keylessBonds).map(\.identity)
    for identity in identities where peer == nil || surroundings.device(at: identity) == peer {
      forgetBond(identity)
    }
  }

  /// Whether a request is made again once the link is encrypted, which begins now.
  /// - Parameter request: made of the error that refused it.
  func waitsForSecurity(
    _ error: ATT.ErrorCode?, _ link: AppLink, _ request: (ATT.ErrorCode) -> UnsecuredRequest
  ) -> Bool {
    guard let error, error == .insufficientAuthentication || error == .insufficientEncryption else { return false }
    return secure(link, request(error))
  }

  /// False: the phone does not pair, or the link is encrypted already.
  func secure(_ link: AppLink, _ request: UnsecuredRequest) -> Bool {
    guard phone.pairing != nil, host.securityLevel(of: link.handle).protection == .none else { return false }
    link.unsecured.append(request)
    if link.unsecured.count == 1, !host.encrypt(link.handle) { host.pair(link.handle) }
    return true
  }

  private func make(_ request: UnsecuredRequest, _ link: AppLink) {
    switch request {
    case .read(let handle, let type, _): perform(.read(link.id, handle, type: type))
    case .configure(let handle, let type, let isOn, _): perform(.configure(link.id, handle, type: type, isOn))
    case .write(let value, _): write(value, link)
    case .prepare(let handle, let type, let offset, let octets, _):
      perform(.prepare(link.id, handle, type: type, offset: offset, octets: octets))
    case .channel(let psm): open(psm, link)
    }
  }

  private func fail(_ request: UnsecuredRequest, _ link: AppLink) {
    switch request {
    case .read(let handle, let type, let error):
      tell(.gatt(.valueRead(link.id, handle, type: type, octets: [], error: error.rawValue)))
    case .configure(let handle, let type, let isOn, let error):
      tell(.gatt(.configured(link.id, handle, type: type, isOn, error: error.rawValue)))
    case .write(let value, let error): tellWritten(value, error: error.rawValue)
    case .prepare(let handle, let type, let offset, _, let error):
      tell(.gatt(.prepared(link.id, handle, type: type, offset: offset, octets: [], error: error.rawValue)))
    case .channel(let psm): tell(.channel(.opened(link.id, psm: psm, nil)))
    }
  }
}

/// What the other end has refused on a link that is not encrypted.
enum UnsecuredRequest {
  case read(ATT.Handle, type: BluetoothUUID, ATT.ErrorCode)
  case configure(ATT.Handle, type: BluetoothUUID, Bool, ATT.ErrorCode)
  case write(Value, ATT.ErrorCode)
  case prepare(ATT.Handle, type: BluetoothUUID, offset: Int, [UInt8], ATT.ErrorCode)
  case channel(psm: UInt16)
}
