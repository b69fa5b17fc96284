public import BluetoothWire
import SimKernel

/// Security as an owner sees it (Core v5.4, Vol 3, Part C, 10; Part H).
///
/// Nothing of this does anything without `HostConfiguration.security`. Random octets, key pairs and DHKeys come from
/// the controller (HCI_LE_Rand, HCI_LE_Read_Local_P-256_Public_Key, HCI_LE_Generate_DHKey): so this stack has no hidden
/// input and no seed of its own, a recorded session replays because the answers are in it, and on a controller that is
/// real the numbers are secret.
extension HostStack {
  /// What was kept of pairings, oldest first. An owner may keep it and give it back before `start`; a change affects
  /// encryption that begins after it.
  public var bonds: [Bond] {
    get { security.bonds }
    set { security.bonds = newValue.suffix(bondLimit) }
  }

  /// Deletes what is kept of a peer. Links stay as they are.
  public func forgetBond(_ identity: BluetoothAddress) { security.bonds.removeAll { $0.identity == identity } }

  /// The bond with the device at that address, an identity or a resolvable private address.
  public func bond(with address: BluetoothAddress) -> Bond? { security.bonds.last { $0.matches(address) } }

  /// How the link is protected now; `none` without such a link.
  public func securityLevel(of handle: HCI.ConnectionHandle) -> SecurityLevel {
    link(handle)?.protection?.level ?? .none
  }

  /// Begins to pair: a central sends a Pairing Request, a peripheral a Security Request (Vol 3, Part H, 2.3 and 2.4.6).
  ///
  /// Ends in `paired`, or in `securityChanged` with an error; a link that ends ends its pairing with `disconnected`. A
  /// central that has a key of a bond may answer a Security Request with encryption alone. While a pairing goes on,
  /// and after a timeout, nothing happens.
  public func pair(_ handle: HCI.ConnectionHandle) {
    guard let link = link(handle), let protection = link.protection, !link.isDisconnecting, !protection.isClosed,
      protection.pairing == nil, let settings = configuration.security
    else { return }
    guard link.role == .central else {
      return sendSecurity(link, .securityRequest(settings.requirements(secure: hasCurve)))
    }
    var pairing = makePairing(link, settings)
    pairing.begin()
    protection.pairing = pairing
    emit(.pairingBegan(handle))
    performPairing(link)
  }

  /// Encrypts a link by the key of the bond, as its central; ends in `securityChanged`. False when there is no key, no
  /// such link, this device is its peripheral, or the link is pairing.
  @discardableResult
  public func encrypt(_ handle: HCI.ConnectionHandle) -> Bool {
    guard let link = link(handle), let protection = link.protection, link.role == .central, protection.pairing == nil,
      let bond = bond(with: link.peer), let key = bond.keyAsCentral
    else { return false }
    // The stack begins by itself on a link to a bonded peer.
    if commands.contains(.encryption(handle)) || protection.isEncrypting { return true }
    protection.coming = bond.level(of: key)
    enableEncryption(link, by: key)
    return true
  }

  /// The user's answer to `pairingConfirm` or `passkeyNeeded`; ignored where nothing was asked. A refusal ends the
  /// pairing at any time.
  public func answerPairing(_ handle: HCI.ConnectionHandle, _ answer: PairingAnswer) {
    guard let link = link(handle) else { return }
    link.protection?.pairing?.answer(answer)
    performPairing(link)
  }

  // MARK: Parts

  private var bondLimit: Int { max(1, configuration.security?.bondLimit ?? .max) }

  func keep(_ bond: Bond) {
    security.bonds.removeAll { $0.identity == bond.identity }
    security.bonds.append(bond)
    let excess = security.bonds.count - bondLimit
    if excess > 0 { security.bonds.removeFirst(excess) }
  }

  /// What LE Secure Connections needs of the controller (Vol 4, Part E, 7.8.36 and 7.8.37).
  var hasCurve: Bool {
    supportedCommands.contains(.leReadLocalP256PublicKey) && supportedCommands.contains(.leGenerateDHKey)
  }

  func makePairing(_ link: Link, _ settings: SecurityConfiguration) -> Pairing {
    Pairing(
      role: link.role, own: link.own ?? address, peer: link.peer, configuration: settings, hasCurve: hasCurve)
  }

  /// Encrypts a new link with a bonded peer.
  func beginProtection(_ link: Link) {
    if configuration.security?.encryptsBondedLinks == true { encrypt(link.handle) }
  }

  func enableEncryption(_ link: Link, by key: LongTermKey) {
    enqueue(
      .security(
        .leEnableEncryption(
          link.handle, random: key.random, diversifier: key.diversifier, longTermKey: key.value)),
      .encryption(link.handle))
  }

  /// Sends a PDU and sets the timer again, which runs from the last PDU that was queued (Vol 3, Part H, 3.4).
  func sendSecurity(_ link: Link, _ pdu: SMP.PDU) {
    send(link, L2CAP.Frame(channel: .securityManager, payload: pdu.octets).octets, .other)
    setSecurityTimer(link, now + Self.securityTimeout)
  }

  /// The Security Manager timer (3.4).
  static let securityTimeout = SimDuration.seconds(30)

  func setSecurityTimer(_ link: Link, _ instant: SimInstant) {
    link.protection?.deadline = instant
    isDeadlineCacheStale = true
  }

  func securityTimer(_ link: Link) {
    guard let protection = link.protection, protection.deadline <= now else { return }
    protection.isClosed = true
    setSecurityTimer(link, .distantFuture)
    if protection.pairing != nil {
      protection.pairing?.end(.timeout)
      performPairing(link)
    } else {
      emit(.securityChanged(link.handle, protection.level, error: .timeout))
    }
  }
}
