import BluetoothWire
import SimKernel

/// Who executes which command, and how commands are answered (Vol 4, Part E, 4.5 and 7).
extension Controller {
  func execute(_ command: HCI.Command) {
    guard let entry = CommandTable.entry(command.opcode), knows(entry) else {
      if case .other(let opcode, let parameters) = command, executeVendor(opcode, parameters) { return }
      return refuseUnknown(command.opcode)
    }
    guard mayUse(entry.kind) else { return refuse(command, .commandDisallowed) }
    switch command {
    case .general(let command): execute(command)
    case .security(let command): execute(command)
    case .privacy(let command): execute(command)
    case .extended(let command): execute(command)
    case .periodic(let command): execute(command)
    case .stream(let command): execute(command)
    case .power(let wish) where command.connectionHandle == nil: execute(wish)
    case .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData, .leSetAdvertisingEnable:
      executeAdvertising(command)
    case .leSetScanParameters, .leSetScanEnable: executeScanning(command)
    case .leCreateConnection(let creation): create(command, creation)
    case .leCreateConnectionCancel: cancelCreation(command)
    case .leReadFilterAcceptListSize, .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList,
      .leRemoveDeviceFromFilterAcceptList:
      executeAcceptList(command)
    default:
      if let handle = command.connectionHandle { executeOnLink(command, handle) } else { executeGeneral(command) }
    }
  }

  /// Legacy and extended advertising commands exclude each other until reset (Vol 4, Part E, 3.1.1).
  ///
  /// The questions for the limits of extended advertising are refused as well, but do not begin its use: hosts ask them
  /// at start-up, before they choose.
  private func mayUse(_ kind: CommandEntry.Kind) -> Bool {
    switch kind {
    case .other: return true
    case .legacyQuestion: return advertisingCommands != .extended
    case .extendedQuestion: return advertisingCommands != .legacy
    case .legacy, .extended:
      if advertisingCommands == nil { advertisingCommands = kind == .legacy ? .legacy : .extended }
      return (advertisingCommands == .legacy) == (kind == .legacy)
    }
  }

  // MARK: Answers

  /// Command Complete. After a failure the return parameters are there all the same, as zeros, because hosts count
  /// them.
  func complete(_ command: HCI.Command, status: HCI.ErrorCode = .success, _ parameters: [UInt8] = []) {
    complete(command.opcode, status: status, returning: parameters)
  }

  func complete(_ command: HCI.Command, _ parameters: [UInt8]) {
    complete(command.opcode, returning: parameters)
  }

  func complete(_ opcode: HCI.Opcode, status: HCI.ErrorCode = .success, returning parameters: [UInt8] = []) {
    var parameters = parameters
    if status != .success, let count = CommandTable.entry(opcode)?.returns, parameters.count < count {
      parameters += [UInt8](repeating: 0, count: count - parameters.count)
    }
    emit(.commandComplete(opcode, status: status, returnParameters: parameters))
  }

  func status(_ command: HCI.Command, _ code: HCI.ErrorCode = .success) {
    emit(.commandStatus(command.opcode, status: code))
  }

  /// The refusal of a command, by the event that its clause has for the answer.
  func refuse(_ command: HCI.Command, _ code: HCI.ErrorCode) {
    refuse(command.opcode, code, handle: command.connectionHandle)
  }

  func refuse(_ opcode: HCI.Opcode, _ code: HCI.ErrorCode, handle: HCI.ConnectionHandle?) {
    guard let entry = CommandTable.entry(opcode), knows(entry) else { return refuseUnknown(opcode) }
    if entry.answersWithStatus {
      emit(.commandStatus(opcode, status: code))
    } else {
      complete(opcode, status: code, returning: entry.returnsHandle ? little(handle ?? 0) : [])
    }
  }

  /// Command Status, since Command Complete has return parameters of a known form, and readers count them.
  private func refuseUnknown(_ opcode: HCI.Opcode) { emit(.commandStatus(opcode, status: .unknownCommand)) }

  /// Refuses, or answers with success and no parameters when there is nothing to refuse.
  func complete(_ command: HCI.Command, unless problem: HCI.ErrorCode?) {
    complete(command, status: problem ?? .success)
  }

  func little(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }

  func little(_ value: UInt64, octets count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
  }
}

extension HCI.Command {
  /// The connection this command is about.
  var connectionHandle: HCI.ConnectionHandle? {
    switch self {
    case .readRSSI(let handle), .readRemoteVersionInformation(let handle), .disconnect(let handle, _),
      .leConnectionUpdate(let handle, _), .leRemoteConnectionParameterRequestReply(let handle, _),
      .leRemoteConnectionParameterRequestNegativeReply(let handle, _), .leSetDataLength(let handle, _, _),
      .leReadPHY(let handle), .leSetPHY(let handle, _, _, _), .leReadChannelMap(let handle),
      .leReadRemoteFeatures(let handle):
      handle
    case .stream(let command): command.streamHandle
    default: groupConnectionHandle
    }
  }
}
