import BluetoothWire

/// How the two devices of a pairing make sure of each other.
///
/// Spec: Core v5.4, Vol 3, Part H, 2.3.5.1, Tables 2.6, 2.7 and 2.8. Not modelled: out of band.
enum PairingMethod: Hashable {
  case justWorks
  case numericComparison
  /// Which of the two type the number; an end that does not type shows it.
  case passkey(initiatorTypes: Bool, responderTypes: Bool)

  /// - Parameter authenticates: one of the two has set the MITM flag.
  init(_ initiator: SMP.IOCapability, _ responder: SMP.IOCapability, secure: Bool, authenticates: Bool) {
    guard authenticates, initiator.isDefined, responder.isDefined else {
      self = .justWorks
      return
    }
    switch (initiator, responder) {
    case (.noInputNoOutput, _), (_, .noInputNoOutput): self = .justWorks
    case (.keyboardOnly, .keyboardOnly): self = .passkey(initiatorTypes: true, responderTypes: true)
    case (.keyboardOnly, _): self = .passkey(initiatorTypes: true, responderTypes: false)
    case (_, .keyboardOnly): self = .passkey(initiatorTypes: false, responderTypes: true)
    case (.displayYesNo, .displayYesNo), (.displayYesNo, .keyboardDisplay), (.keyboardDisplay, .displayYesNo),
      (.keyboardDisplay, .keyboardDisplay):
      if secure {
        self = .numericComparison
      } else if responder == .keyboardDisplay {
        self = .passkey(initiatorTypes: false, responderTypes: true)
      } else if initiator == .keyboardDisplay {
        self = .passkey(initiatorTypes: true, responderTypes: false)
      } else {
        self = .justWorks
      }
    case (.keyboardDisplay, .displayOnly): self = .passkey(initiatorTypes: true, responderTypes: false)
    case (.displayOnly, .keyboardDisplay): self = .passkey(initiatorTypes: false, responderTypes: true)
    default: self = .justWorks
    }
  }

  var isAuthenticated: Bool { self != .justWorks }

  var isPasskey: Bool { if case .passkey = self { true } else { false } }

  /// Whether the user of the device in that role types the passkey.
  func types(_ role: HCI.Role) -> Bool {
    guard case .passkey(let initiatorTypes, let responderTypes) = self else { return false }
    return role == .central ? initiatorTypes : responderTypes
  }

  /// What the peer is told when the user refuses.
  var refusal: SMP.FailureReason {
    switch self {
    case .justWorks: .unspecifiedReason
    case .numericComparison: .numericComparisonFailed
    case .passkey: .passkeyEntryFailed
    }
  }
}

extension SMP.IOCapability {
  var isDefined: Bool { rawValue <= SMP.IOCapability.keyboardDisplay.rawValue }
}
