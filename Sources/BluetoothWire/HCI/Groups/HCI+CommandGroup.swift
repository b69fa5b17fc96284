/// Commands of one topic in an enumeration of their own, so that the modelled command set can grow without one giant
/// switch: `HCI.Command` has one case for each group.
protocol HCICommandGroup {
  var opcode: HCI.Opcode { get }
  /// The connection this command is about.
  var connectionHandle: HCI.ConnectionHandle? { get }
  func appendParameters(to octets: inout [UInt8])
  /// Reads the parameters of a command of this group; nil for an opcode of another one.
  init?(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError)
}

extension HCI.Command {
  /// The command as its group sees it; nil for those that stand alone.
  var group: (any HCICommandGroup)? {
    switch self {
    case .general(let command): command
    case .security(let command): command
    case .privacy(let command): command
    case .extended(let command): command
    default: nil
    }
  }

  static func grouped(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) -> HCI.Command? {
    if let command = try HCI.GeneralCommand(opcode, &reader) { return .general(command) }
    if let command = try HCI.SecurityCommand(opcode, &reader) { return .security(command) }
    if let command = try HCI.PrivacyCommand(opcode, &reader) { return .privacy(command) }
    if let command = try HCI.ExtendedCommand(opcode, &reader) { return .extended(command) }
    return nil
  }

  /// The connection a grouped command is about.
  public var groupConnectionHandle: HCI.ConnectionHandle? { group?.connectionHandle }
}
