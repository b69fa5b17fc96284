import BluetoothWire
import LinkCrypto

/// One pairing at one end of a link, as a sans-IO state machine.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.3, 2.4 and 3.5; phases 1 to 3. The initiator is the central, the responder the
/// peripheral. Inputs are the methods, outputs are taken with `takeEffect`. While an input of this device is awaited
/// (random octets, keys of the controller, a user's answer), PDUs of the peer wait, at most `heldLimit`.
/// Not modelled: out of band data, keypress notifications (ignored), cross-transport keys, repeated attempts.
struct Pairing {
  enum Effect: Equatable {
    case send(SMP.PDU)
    /// Octets that nobody can guess; the answer is `randomsDrawn`.
    case draw(Int)
    /// The answer is `publicKeyRead`.
    case readPublicKey
    /// The answer is `secretGenerated`.
    case generateSecret(publicKey: [UInt8])
    /// The answer is `answer`.
    case confirm(UInt32)
    case passkeyNeeded
    case passkeyShown(UInt32)
    /// As the central: encrypt by this key; the answer is `encryptionEnded`, at both ends.
    case encrypt(LongTermKey)
    /// The pairing is over; the bond where both wanted one.
    case paired(Bond?)
    case ended(PairingError)
  }

  /// The PDU, or the event, with which the pairing continues.
  enum Step: Equatable {
    case idle
    case features
    case publicKey
    case confirm
    case random
    case check
    case encryption
    case keys
    case over
  }

  /// What this device itself still owes.
  enum Wait: Equatable {
    case randoms
    case publicKey
    case secret
    case answer
  }

  static let heldLimit = 2
  /// Rounds of Passkey Entry, a bit of the passkey each (2.3.5.6.3).
  static let passkeyRounds = 20
  static let passkeys: Range<UInt32> = 0..<1_000_000

  let configuration: SecurityConfiguration
  let role: HCI.Role
  let initiator: BluetoothAddress
  let responder: BluetoothAddress
  /// The controller has the P-256 commands.
  let hasCurve: Bool

  var step = Step.idle
  var wait: Wait?
  private var held: [SMP.PDU] = []
  private var effects: [Effect] = []

  // Phase 1
  /// The Pairing PDUs without their code.
  var request: SMP.PairingFeatures?
  var response: SMP.PairingFeatures?
  var method = PairingMethod.justWorks
  var isSecure = false
  var keySize = 0
  var keepsKeys = false

  // Phase 2
  var randoms = DrawnRandoms()
  var passkey: UInt32 = 0
  /// The round of Passkey Entry, from 0.
  var round = 0
  var ownPublicKey: [UInt8] = []
  var peerPublicKey: [UInt8] = []
  var secret: [UInt8] = []
  var ownConfirm: [UInt8] = []
  var peerConfirm: [UInt8] = []
  var peerRandom: [UInt8] = []
  var macKey: [UInt8] = []
  /// The key of phase 2, once it is known: the Short Term Key, or the Long Term Key of LE Secure Connections.
  private(set) var sessionKey: LongTermKey?

  // Phase 3
  var expectedKeys: [UInt8] = []
  var receivedKeys = ReceivedKeys()

  init(
    role: HCI.Role, own: BluetoothAddress, peer: BluetoothAddress, configuration: SecurityConfiguration, hasCurve: Bool
  ) {
    self.role = role
    initiator = role == .central ? own : peer
    responder = role == .central ? peer : own
    self.configuration = configuration
    self.hasCurve = hasCurve
  }

  var own: BluetoothAddress { role == .central ? initiator : responder }
  var peer: BluetoothAddress { role == .central ? responder : initiator }
  var isOver: Bool { step == .over }
  /// The controller's key pair is part of it, and must stay what it is.
  var usesLocalKey: Bool { isSecure && !ownPublicKey.isEmpty && secret.isEmpty }
  /// The level of the link once `sessionKey` encrypts it.
  var level: SecurityLevel {
    SecurityLevel(method.isAuthenticated ? .authenticated : .encrypted, isSecureConnections: isSecure, keySize: keySize)
  }

  // MARK: Outputs

  mutating func takeEffect() -> Effect? { effects.isEmpty ? nil : effects.removeFirst() }

  mutating func emit(_ effect: Effect) { effects.append(effect) }

  mutating func send(_ pdu: SMP.PDU) { effects.append(.send(pdu)) }

  /// Ends the pairing and tells the peer why.
  mutating func fail(_ reason: SMP.FailureReason) {
    guard !isOver else { return }
    send(.pairingFailed(reason))
    end(.failed(reason))
  }

  /// Ends the pairing without a word to the peer.
  mutating func end(_ error: PairingError) {
    guard !isOver else { return }
    step = .over
    wait = nil
    held = []
    emit(.ended(error))
  }

  /// The key is known: the central begins to encrypt, the peripheral is asked for the key.
  mutating func awaitEncryption(_ key: [UInt8]) {
    let key = LongTermKey(value: SecurityToolbox.shortened(key, to: keySize), size: keySize)
    sessionKey = key
    step = .encryption
    if role == .central { emit(.encrypt(key)) }
  }

  // MARK: Inputs

  mutating func receive(_ pdu: SMP.PDU) {
    guard !isOver else { return }
    switch pdu {
    case .pairingFailed(let reason): return end(.refused(reason))
    case .keypressNotification where method.isPasskey: return
    // The central pairs already, which is what the peer asks for.
    case .securityRequest where role == .central: return
    default: break
    }
    guard wait != nil else { return handle(pdu) }
    guard held.count < Self.heldLimit else { return fail(.unspecifiedReason) }
    held.append(pdu)
  }

  /// A PDU that could not be read (3.5.5).
  mutating func receiveUnreadable() { fail(.invalidParameters) }

  /// As many octets as `draw` asked for; nil when there are none.
  mutating func randomsDrawn(_ octets: [UInt8]?) {
    guard wait == .randoms else { return }
    wait = nil
    guard let octets, randoms.take(octets) else { return fail(.unspecifiedReason) }
    beginPhase2()
    resume()
  }

  /// The own public key, 64 octets; nil when the controller made none.
  mutating func publicKeyRead(_ key: [UInt8]?) {
    guard wait == .publicKey else { return }
    wait = nil
    guard let key, key.count == 64 else { return fail(.unspecifiedReason) }
    ownPublicKey = key
    publicKeyIsKnown()
    resume()
  }

  /// DHKey, 32 octets; nil for a public key that is not a point of the curve.
  mutating func secretGenerated(_ octets: [UInt8]?) {
    guard wait == .secret else { return }
    wait = nil
    guard let octets, octets.count == 32 else { return fail(.invalidParameters) }
    secret = octets
    secretIsKnown()
    resume()
  }

  /// Ignored when it answers no question; a refusal counts at any time.
  mutating func answer(_ answer: PairingAnswer) {
    guard !isOver else { return }
    switch answer {
    case .refuse: fail(method.refusal)
    case .accept:
      guard wait == .answer, method == .numericComparison else { return }
      wait = nil
      numberIsConfirmed()
      resume()
    case .passkey(let number):
      guard wait == .answer, method.isPasskey else { return }
      guard Self.passkeys.contains(number) else { return fail(method.refusal) }
      wait = nil
      passkey = number
      passkeyIsKnown()
      resume()
    }
  }

  /// What held PDUs wait for has come.
  private mutating func resume() {
    while wait == nil, !isOver, !held.isEmpty { handle(held.removeFirst()) }
  }

  private mutating func handle(_ pdu: SMP.PDU) {
    switch (step, pdu) {
    case (.features, .pairingResponse(let features)): receiveResponse(features)
    case (.publicKey, .pairingPublicKey(let key)): receivePublicKey(key)
    case (.confirm, .pairingConfirm(let value)): receiveConfirm(value)
    case (.random, .pairingRandom(let value)): receiveRandom(value)
    case (.check, .pairingDHKeyCheck(let value)): receiveCheck(value)
    case (.keys, _): receiveKey(pdu)
    default: fail(.unspecifiedReason)
    }
  }

  private mutating func receiveConfirm(_ value: [UInt8]) {
    // A value that is the own one proves nothing: it may have been sent back.
    guard value != ownConfirm else { return fail(.confirmValueFailed) }
    peerConfirm = value
    if isSecure { secureConfirmReceived() } else { legacyConfirmReceived() }
  }

  private mutating func receiveRandom(_ value: [UInt8]) {
    peerRandom = value
    if isSecure { secureRandomReceived() } else { legacyRandomReceived() }
  }
}
