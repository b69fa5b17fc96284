public import BluetoothWire

/// Why a link did not get the protection that was asked for.
public enum PairingError: Error, Hashable, Sendable {
  /// This device has ended the pairing; the peer was told the reason.
  case failed(SMP.FailureReason)
  /// The peer has ended the pairing, or refuses to pair.
  case refused(SMP.FailureReason)
  /// 30 s without a PDU: the link carries no more of the Security Manager (Vol 3, Part H, 3.4).
  case timeout
  /// Encryption did not begin: the controller's status. 0x06 (PIN or Key Missing) when the peer, or this device as
  /// peripheral, does not have the key of the bond.
  case encryption(HCI.ErrorCode)
}

/// What a user says to `pairingConfirm` or `passkeyNeeded`, or at any other time of a pairing.
public enum PairingAnswer: Hashable, Sendable {
  /// The numbers are equal.
  case accept
  /// The number that the other device shows, 0 … 999999; any other is a refusal.
  case passkey(UInt32)
  /// Ends the pairing: with Numeric Comparison Failed, Passkey Entry Failed or, without a question, Unspecified Reason.
  case refuse
}
