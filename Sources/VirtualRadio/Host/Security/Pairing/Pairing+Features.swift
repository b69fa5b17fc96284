import BluetoothWire

/// Phase 1: what the two devices can do and want (Core v5.4, Vol 3, Part H, 2.3.1 to 2.3.5, 3.5.1, 3.5.2).
extension Pairing {
  /// The initiator begins with a Pairing Request.
  mutating func begin() {
    let features = SMP.PairingFeatures(
      ioCapability: configuration.ioCapability, requirements: configuration.requirements(secure: hasCurve),
      maximumKeySize: UInt8(clamping: largestKey), initiatorKeys: configuration.keys(configuration.distributedKeys),
      responderKeys: configuration.keys(configuration.requestedKeys))
    request = features
    step = .features
    send(.pairingRequest(features))
  }

  /// The responder begins with the Pairing Request it received; the Pairing Response follows when the random octets
  /// and the public key are there.
  mutating func begin(answering features: SMP.PairingFeatures) {
    request = features
    // Only what the initiator names is distributed (3.6.1).
    let own = SMP.PairingFeatures(
      ioCapability: configuration.ioCapability, requirements: configuration.requirements(secure: hasCurve),
      maximumKeySize: UInt8(clamping: largestKey),
      initiatorKeys: configuration.keys(configuration.requestedKeys).intersection(features.initiatorKeys),
      responderKeys: configuration.keys(configuration.distributedKeys).intersection(features.responderKeys))
    response = own
    negotiate()
  }

  mutating func receiveResponse(_ features: SMP.PairingFeatures) {
    response = features
    negotiate()
  }

  private var largestKey: Int {
    min(max(configuration.keySizes.upperBound, SMP.keySizes.lowerBound), SMP.keySizes.upperBound)
  }

  /// Both ends come to the same: Secure Connections or legacy, the method, the key size.
  private mutating func negotiate() {
    guard let request, let response else { return }
    let peer = role == .central ? response : request
    guard peer.ioCapability.isDefined, peer.oobDataFlag <= 1, SMP.keySizes.contains(Int(peer.maximumKeySize)) else {
      return fail(.invalidParameters)
    }
    // The responder names no key that the initiator did not (3.6.1).
    guard response.initiatorKeys.isSubset(of: request.initiatorKeys),
      response.responderKeys.isSubset(of: request.responderKeys)
    else { return fail(.invalidParameters) }
    let both = request.requirements.intersection(response.requirements)
    let either = request.requirements.union(response.requirements)
    isSecure = both.contains(.secureConnections)
    keepsKeys = request.requirements.asksForBonding && response.requirements.asksForBonding
    method = PairingMethod(
      request.ioCapability, response.ioCapability, secure: isSecure, authenticates: either.contains(.authentication))
    keySize = Int(min(request.maximumKeySize, response.maximumKeySize))
    if keySize < configuration.keySizes.lowerBound { return fail(.encryptionKeySize) }
    if configuration.requiresSecureConnections, !isSecure { return fail(.authenticationRequirements) }
    if configuration.requiresAuthentication, !method.isAuthenticated { return fail(.authenticationRequirements) }
    wait = .randoms
    emit(.draw(randoms.needs(nonces: isSecure && method.isPasskey ? Self.passkeyRounds : 1)))
  }

  /// Random octets are there.
  mutating func beginPhase2() {
    if isSecure {
      wait = .publicKey
      return emit(.readPublicKey)
    }
    sendResponse()
    askForPasskey()
  }

  mutating func sendResponse() {
    if role == .peripheral, let response { send(.pairingResponse(response)) }
  }

  /// Shows the passkey, asks for it, or does without.
  mutating func askForPasskey() {
    guard method.isPasskey else { return passkeyIsKnown() }
    guard !method.types(role) else {
      wait = .answer
      return emit(.passkeyNeeded)
    }
    passkey = randoms.passkey
    emit(.passkeyShown(passkey))
    passkeyIsKnown()
  }

  /// The confirm values can be made; the initiator's comes first, except for Numeric Comparison and Just Works of
  /// Secure Connections, where only the responder has one.
  mutating func passkeyIsKnown() { if isSecure { beginSecureRounds() } else { beginLegacy() } }

  /// The passkey as 16 octets; zero without one.
  var passkeyOctets: [UInt8] {
    (0..<SMP.keyLength).map { $0 < 4 ? UInt8(truncatingIfNeeded: passkey >> (8 * UInt32($0))) : 0 }
  }
}
