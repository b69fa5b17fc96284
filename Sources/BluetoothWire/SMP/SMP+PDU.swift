extension SMP {
  /// A PDU of the Security Manager channel. Layout: `code: 1 | data`; each code has one length.
  ///
  /// Spec: Core v5.4, Vol 3, Part H, 3.3, 3.5 and 3.6.
  public enum PDU: Hashable, Sendable {
    /// `Pairing Request`, 3.5.1. Layout: `01 | IO capability | OOB flag | AuthReq | key size | initiator | responder`.
    case pairingRequest(PairingFeatures)
    /// `Pairing Response`, 3.5.2; the same fields.
    case pairingResponse(PairingFeatures)
    /// `Pairing Confirm`, 3.5.3. Layout: `03 | confirm value: 16`.
    case pairingConfirm([UInt8])
    /// `Pairing Random`, 3.5.4. Layout: `04 | random value: 16`.
    case pairingRandom([UInt8])
    /// `Pairing Failed`, 3.5.5. Layout: `05 | reason`.
    case pairingFailed(FailureReason)
    /// `Encryption Information`, 3.6.2. Layout: `06 | LTK: 16`.
    case encryptionInformation([UInt8])
    /// `Central Identification`, 3.6.3. Layout: `07 | EDIV: 2 | Rand: 8`.
    case centralIdentification(diversifier: UInt16, random: UInt64)
    /// `Identity Information`, 3.6.4. Layout: `08 | IRK: 16`; all zeros: the device makes no resolvable addresses.
    case identityInformation([UInt8])
    /// `Identity Address Information`, 3.6.5. Layout: `09 | type | address: 6`; type 0 is public, 1 static random.
    case identityAddressInformation(BluetoothAddress)
    /// `Signing Information`, 3.6.6. Layout: `0A | CSRK: 16`.
    case signingInformation([UInt8])
    /// `Security Request`, 3.6.7. Layout: `0B | AuthReq`.
    case securityRequest(AuthenticationRequirements)
    /// `Pairing Public Key`, 3.5.6. Layout: `0C | X: 32 | Y: 32`; both coordinates in one array.
    case pairingPublicKey([UInt8])
    /// `Pairing DHKey Check`, 3.5.7. Layout: `0D | check: 16`.
    case pairingDHKeyCheck([UInt8])
    /// `Pairing Keypress Notification`, 3.5.8. Layout: `0E | type`.
    case keypressNotification(Keypress)
  }
}
