import BluetoothWire
import SimKernel

/// What each HCI command does (Vol 4, Part E, 7). Invalid parameters get the specification's error code.
extension Controller {
  func execute(_ command: HCI.Command) {
    switch command {
    case .reset:
      reset()
      complete(command)
    case .setEventMask: complete(command)
    case .leSetEventMask(let mask):
      leEventMask = mask
      complete(command)
    case .readBDADDR: complete(command, radio.configuration.address.octets)
    case .readLocalVersionInformation:
      complete(
        command,
        [Self.version] + little(Self.subversion) + [Self.version] + little(Self.companyIdentifier)
          + little(Self.subversion))
    case .readLocalSupportedCommands: complete(command, SupportedCommands.octets)
    case .readLocalSupportedFeatures:
      // Byte 4: BR/EDR not supported, LE supported (Vol 2, Part C, 3.3).
      complete(command, [0, 0, 0, 0, 0x60, 0, 0, 0])
    case .leReadBufferSize:
      complete(
        command, little(UInt16(radio.configuration.aclBufferLength)) + [UInt8(radio.configuration.aclBuffers)])
    case .leReadLocalSupportedFeatures:
      let features = RadioWorld.features(of: radio.configuration)
      complete(command, (0..<8).map { UInt8(truncatingIfNeeded: features >> (8 * UInt64($0))) })
    case .leSetRandomAddress(let address):
      setRandomAddress(address)
      complete(command)
    case .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData, .leSetAdvertisingEnable,
      .leSetScanParameters, .leSetScanEnable, .leCreateConnection, .leCreateConnectionCancel:
      executeGAP(command)
    case .leReadFilterAcceptListSize: complete(command, [UInt8(Self.filterAcceptListSize)])
    case .leClearFilterAcceptList:
      filterAcceptList.removeAll()
      complete(command)
    case .leAddDeviceToFilterAcceptList(let address):
      if filterAcceptList.contains(address) {
        complete(command)
      } else if filterAcceptList.count == Self.filterAcceptListSize {
        complete(command, status: .memoryCapacityExceeded)
      } else {
        filterAcceptList.append(address)
        complete(command)
      }
    case .leRemoveDeviceFromFilterAcceptList(let address):
      filterAcceptList.removeAll { $0 == address }
      complete(command)
    case .leReadSuggestedDefaultDataLength:
      complete(command, little(UInt16(defaultTxOctets)) + little(RadioWorld.time(forOctets: defaultTxOctets)))
    case .leWriteSuggestedDefaultDataLength(let octets, let time):
      guard (27...251).contains(octets), (328...17_040).contains(time) else {
        complete(command, status: .invalidParameters)
        return
      }
      defaultTxOctets = min(Int(octets), radio.configuration.maximumDataLength)
      complete(command)
    case .leReadMaximumDataLength:
      let octets = radio.configuration.maximumDataLength
      let pair = little(UInt16(octets)) + little(RadioWorld.time(forOctets: octets))
      complete(command, pair + pair)
    case .leSetDefaultPHY(let tx, let rx): complete(command, status: preferenceStatus(tx, rx))
    case .leSetHostChannelClassification(let map):
      guard map >> 37 == 0, map.nonzeroBitCount >= 2 else {
        complete(command, status: .invalidParameters)
        return
      }
      hostChannelMap = map
      for connection in radio.links where connection.central.radio === radio {
        world.start(.channelMap(map), connection.central, connection)
      }
      complete(command)
    case .general, .security, .privacy, .extended, .other: complete(command, status: .unknownCommand)
    default: executeOnLink(command)
    }
  }

  /// Commands about one connection.
  private func executeOnLink(_ command: HCI.Command) {
    guard let handle = command.connectionHandle, let (connection, end) = link(handle) else {
      if command.answersWithStatus {
        emit(.commandStatus(command.opcode, status: .unknownConnectionIdentifier))
      } else {
        complete(command, status: .unknownConnectionIdentifier)
      }
      return
    }
    switch command {
    case .disconnect(_, let reason):
      status(command)
      if !end.isTerminating { world.start(.terminate(reason), end, connection) }
    case .readRemoteVersionInformation:
      status(command)
      world.start(.version, end, connection)
    case .leReadRemoteFeatures:
      status(command)
      world.start(.features, end, connection)
    case .readRSSI:
      let peer = connection.peer(of: end).radio.index
      complete(command, little(handle) + [UInt8(bitPattern: world.rssi(from: peer, to: radio.index))])
    case .leReadPHY:
      complete(
        command,
        little(handle) + [
          connection.transmitPHY(of: end).rawValue, connection.transmitPHY(of: connection.peer(of: end)).rawValue,
        ])
    case .leReadChannelMap:
      complete(
        command,
        little(handle) + (0..<5).map { UInt8(truncatingIfNeeded: connection.channelMap.bits >> (8 * UInt64($0))) })
    case .leSetDataLength(_, let octets, let time):
      guard (27...251).contains(octets), (328...17_040).contains(time) else {
        complete(command, status: .invalidParameters, little(handle))
        return
      }
      complete(command, little(handle))
      end.maxTxOctets = min(Int(octets), radio.configuration.maximumDataLength)
      world.start(.dataLength, end, connection)
    case .leSetPHY(_, let tx, let rx):
      let judgement = preferenceStatus(tx, rx)
      status(command, judgement)
      if judgement == .success {
        world.start(.phy(tx: (tx ?? supportedPHYs).rawValue, rx: (rx ?? supportedPHYs).rawValue), end, connection)
      }
    case .leConnectionUpdate(_, let parameters):
      guard parameters.areValid else {
        status(command, .invalidParameters)
        return
      }
      status(command)
      world.start(
        end.role == .central ? .connectionUpdate(parameters) : .parameterRequest(parameters), end, connection)
    case .leRemoteConnectionParameterRequestReply(_, let parameters):
      complete(command, little(handle))
      if end.role == .central {
        world.start(.connectionUpdate(parameters), end, connection)
      } else {
        world.send(
          .connectionParamRsp(
            LL.ConnectionParam(
              intervalMin: parameters.intervalMinimum, intervalMax: parameters.intervalMaximum,
              latency: parameters.peripheralLatency, timeout: parameters.supervisionTimeout)), end, connection)
      }
    case .leRemoteConnectionParameterRequestNegativeReply(_, let reason):
      complete(command, little(handle))
      world.send(
        .rejectExtInd(rejectOpcode: LL.ControlOpcode.connectionParamReq, errorCode: reason), end, connection)
    default: complete(command, status: .unknownCommand)
    }
  }

  private var supportedPHYs: HCI.PHYMask { radio.configuration.supports2M ? [.le1M, .le2M] : .le1M }

  /// A preference names at least one PHY, and only such as the controller supports (Vol 4, Part E, 7.8.48, 7.8.49).
  private func preferenceStatus(_ tx: HCI.PHYMask?, _ rx: HCI.PHYMask?) -> HCI.ErrorCode {
    let masks = [tx, rx].compactMap { $0 }
    if masks.contains([]) { return .invalidParameters }
    return masks.allSatisfy(supportedPHYs.isSuperset) ? .success : .unsupportedFeature
  }

  func complete(_ command: HCI.Command, status: HCI.ErrorCode = .success, _ parameters: [UInt8] = []) {
    emit(.commandComplete(command.opcode, status: status, returnParameters: parameters))
  }

  func complete(_ command: HCI.Command, _ parameters: [UInt8]) {
    complete(command, status: .success, parameters)
  }

  func status(_ command: HCI.Command, _ code: HCI.ErrorCode = .success) {
    emit(.commandStatus(command.opcode, status: code))
  }

  func little(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }
}

extension HCI.ConnectionParameters {
  /// Ranges of Vol 4, Part E, 7.8.12 and 7.8.18.
  var areValid: Bool {
    (6...3_200).contains(intervalMinimum) && (intervalMinimum...3_200).contains(intervalMaximum)
      && peripheralLatency <= 499 && (10...3_200).contains(supervisionTimeout)
      && Int(supervisionTimeout) * 10_000 > (1 + Int(peripheralLatency)) * Int(intervalMaximum) * 1_250 * 2
  }
}

extension HCI.Command {
  /// The connection this command is about.
  var connectionHandle: HCI.ConnectionHandle? {
    switch self {
    case .readRSSI(let handle), .readRemoteVersionInformation(let handle), .disconnect(let handle, _),
      .leConnectionUpdate(let handle, _), .leRemoteConnectionParameterRequestReply(let handle, _),
      .leRemoteConnectionParameterRequestNegativeReply(let handle, _), .leSetDataLength(let handle, _, _),
      .leReadPHY(let handle), .leSetPHY(let handle, _, _), .leReadChannelMap(let handle),
      .leReadRemoteFeatures(let handle):
      handle
    default: groupConnectionHandle
    }
  }

  /// Whether the answer is Command Status rather than Command Complete.
  var answersWithStatus: Bool {
    switch self {
    case .disconnect, .readRemoteVersionInformation, .leCreateConnection, .leConnectionUpdate, .leReadRemoteFeatures,
      .leSetPHY:
      true
    default: groupAnswersWithStatus
    }
  }
}
