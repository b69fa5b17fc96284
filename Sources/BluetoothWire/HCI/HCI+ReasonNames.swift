extension HCI.ErrorCode {
  /// A user, an app or a stack that is shut down ended the link (Core v5.4, Vol 1, Part F, 2.19 to 2.22).
  public var isOrdered: Bool { (0x13...0x16).contains(rawValue) }

  /// Reasons with which a connection ends, by the name that Vol 1, Part F, 1.3 gives them, in small letters.
  ///
  /// Not modelled: reasons of BR/EDR only.
  package static let reasonNames: [(name: String, code: HCI.ErrorCode)] = [
    ("authentication failure", HCI.ErrorCode(0x05)),
    ("connection timeout", .connectionTimeout),
    ("remote user terminated connection", .remoteUserTerminatedConnection),
    ("low resources", HCI.ErrorCode(0x14)),
    ("power off", .remoteDeviceTerminatedDueToPowerOff),
    ("connection terminated by local host", .connectionTerminatedByLocalHost),
    ("unsupported remote feature", .unsupportedRemoteFeature),
    ("response timeout", .llResponseTimeout),
    ("instant passed", .instantPassed),
    ("unacceptable connection parameters", .unacceptableConnectionParameters),
    ("mic failure", .connectionTerminatedDueToMICFailure),
    ("connection failed to be established", .connectionFailedToBeEstablished),
  ]

  /// The code with its name, where it has one: `0x08, connection timeout`.
  package var reasonText: String {
    let code = "0x" + String(hexadecimal: rawValue, digits: 2, uppercase: true)
    return Self.reasonNames.first { $0.code == self }.map { "\(code), \($0.name)" } ?? code
  }
}
