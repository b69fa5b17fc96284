import BluetoothWire
import SimKernel

/// Commands about one connection (Vol 4, Part E, 7.1.6, 7.1.23, 7.3.93, 7.3.94, 7.5.4, 7.8).
extension Controller {
  func executeOnLink(_ command: HCI.Command, _ handle: HCI.ConnectionHandle) {
    if case .disconnect(_, let reason) = command, let (stream, end) = stream(handle) {
      return disconnect(command, reason, of: stream, end)
    }
    guard let (connection, end) = link(handle) else { return refuse(command, .unknownConnectionIdentifier) }
    if end.procedures.count >= Self.maximumProcedures, command.startsProcedure {
      return refuse(command, .commandDisallowed)
    }
    switch command {
    case .disconnect(_, let reason): disconnect(command, reason, end, connection)
    case .readRemoteVersionInformation:
      status(command)
      world.start(.version, end, connection)
    case .leReadRemoteFeatures:
      status(command)
      world.start(.features, end, connection)
    case .leSetPHY(_, let tx, let rx, let options):
      if let problem = problem(withPHYs: tx, rx) { return status(command, problem) }
      status(command)
      if connection.isParked { world.unpark(connection) }
      end.coding = options.coding ?? .s8
      world.start(.phy(tx: (tx ?? supportedPHYs).rawValue, rx: (rx ?? supportedPHYs).rawValue), end, connection)
    case .leConnectionUpdate(_, let parameters): update(command, parameters, end, connection)
    case .general(.leRequestPeerSCA): requestAccuracy(command, end, connection)
    case .power(let wish): execute(command, wish, end, connection)
    case .general(.leSubrateRequest(_, let wish)): requestSubrate(command, wish, end, connection)
    case .leSetDataLength(_, let octets, let time):
      guard (27...251).contains(octets), (328...RadioWorld.longestCoded).contains(time) else {
        return refuse(command, .invalidParameters)
      }
      complete(command, little(handle))
      suggest(octets, time, end)
      world.start(.dataLength, end, connection)
    case .leRemoteConnectionParameterRequestReply, .leRemoteConnectionParameterRequestNegativeReply:
      answerParameterRequest(command, end, connection)
    default: readFromLink(command, end, connection)
    }
  }

  /// Procedures of one link that may wait for those before them.
  static let maximumProcedures = 16

  /// Commands that are answered immediately.
  private func readFromLink(_ command: HCI.Command, _ end: LinkEnd, _ connection: Connection) {
    let handle = little(end.handle)
    switch command {
    case .readRSSI:
      let level = world.rssi(from: connection.peer(of: end), to: radio.index)
      complete(command, handle + [UInt8(bitPattern: atAntenna(level))])
    case .leReadPHY:
      complete(
        command,
        handle + [
          connection.transmitPHY(of: end).phy.rawValue,
          connection.transmitPHY(of: connection.peer(of: end)).phy.rawValue,
        ])
    case .leReadChannelMap: complete(command, handle + little(connection.channelMap.bits, octets: 5))
    case .general(.readTransmitPowerLevel(_, let type)):
      guard type <= 1 else { return refuse(command, .invalidParameters) }
      let level = type == 0 ? world.linkPower(of: end) : transmitPower
      complete(command, handle + [UInt8(bitPattern: level)])
    case .general(.readAuthenticatedPayloadTimeout): complete(command, handle + little(end.authenticatedPayloadTimeout))
    case .general(.writeAuthenticatedPayloadTimeout(_, let timeout)):
      let units = Int64(connection.intervalUnits) * Int64(end.subrating.factor) * (1 + Int64(end.subrating.latency))
      guard timeout > 0, Int64(timeout) * 10_000 >= units * 1_250 else { return refuse(command, .invalidParameters) }
      end.authenticatedPayloadTimeout = timeout
      world.armAuthentication(end, connection)
      complete(command, handle)
    default: refuse(command, .unknownCommand)
    }
  }

  /// The reasons that a host may give (7.1.6): authentication failure, the three of a user, a low-power and a power-off
  /// device, unsupported remote feature, pairing with a unit key, unacceptable parameters.
  private static let reasons: [UInt8] = [0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B]

  private func disconnect(
    _ command: HCI.Command, _ reason: HCI.ErrorCode, _ end: LinkEnd, _ connection: Connection
  ) {
    guard Self.reasons.contains(reason.rawValue) else { return status(command, .invalidParameters) }
    guard !end.isTerminating else { return status(command, .commandDisallowed) }
    status(command)
    world.start(.terminate(reason), end, connection)
  }

  /// A stream ends, and its link stays.
  private func disconnect(
    _ command: HCI.Command, _ reason: HCI.ErrorCode, of stream: IsochronousStream, _ end: StreamEnd
  ) {
    guard Self.reasons.contains(reason.rawValue) else { return status(command, .invalidParameters) }
    let link = stream.connection.end(end.role)
    guard end.isEstablished, !end.isTerminating, link.procedures.count < Self.maximumProcedures else {
      return status(command, .commandDisallowed)
    }
    status(command)
    end.isTerminating = true
    world.start(
      .announcement(
        .cisTerminateInd(group: stream.shape.group, stream: stream.shape.stream, errorCode: reason)),
      link, stream.connection)
  }

  /// What an end wants to send, as far as the controller can (7.8.33, 7.8.35).
  func suggest(_ octets: UInt16, _ time: UInt16, _ end: LinkEnd) {
    let maximum = radio.configuration.maximumDataLength
    end.maxTxOctets = min(Int(octets), maximum)
    end.maxTxTime = min(time, RadioWorld.time(forOctets: maximum, coded: radio.configuration.supportsCoded))
  }

  /// The peripheral asks for parameters. The central asks too, or changes them alone where that is its way, or where
  /// the peripheral cannot be asked (7.8.18; Vol 6, Part B, 5.1.1, 5.1.7).
  ///
  /// Decision: a peripheral's host that has not answered the central's request is refused.
  private func update(
    _ command: HCI.Command, _ parameters: HCI.ConnectionParameters, _ end: LinkEnd, _ connection: Connection
  ) {
    guard parameters.areValid else { return status(command, .invalidParameters) }
    guard end.role == .central || !end.hasAskedHost else { return status(command, .commandDisallowed) }
    status(command)
    let asks = end.role == .peripheral || radio.configuration.asksForParameters && end.peerTakesParameterRequests
    world.start(asks ? .parameterRequest(parameters) : .connectionUpdate(parameters), end, connection)
  }

  /// 7.8.31 and 7.8.32.
  private func answerParameterRequest(_ command: HCI.Command, _ end: LinkEnd, _ connection: Connection) {
    guard end.hasAskedHost else { return refuse(command, .commandDisallowed) }
    switch command {
    case .leRemoteConnectionParameterRequestReply(_, let parameters):
      guard parameters.areValid else { return refuse(command, .invalidParameters) }
      complete(command, little(end.handle))
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
      complete(command, little(end.handle))
      world.refuseParameters(end, connection, reason)
    default: return refuse(command, .unknownCommand)
    }
    end.hasAskedHost = false
  }

  /// The peer asks for other parameters; a host that has masked the event is not asked
  /// (Vol 6, Part B, 5.1.7.3).
  func parametersRequested(_ parameters: HCI.ConnectionParameters, _ end: LinkEnd, _ connection: Connection) {
    let event = HCI.Event.leRemoteConnectionParameterRequest(end.handle, parameters)
    guard masks.admit(event) else { return world.refuseParameters(end, connection, .unsupportedRemoteFeature) }
    end.hasAskedHost = true
    emit(event)
  }

  // MARK: PHYs

  var supportedPHYs: HCI.PHYMask {
    var phys = HCI.PHYMask.le1M
    if radio.configuration.supports2M { phys.insert(.le2M) }
    if radio.configuration.supportsCoded { phys.insert(.leCoded) }
    return phys
  }

  /// What this controller agrees to when the peer asks: the host's preference, or all.
  var acceptablePHYs: (tx: UInt8, rx: UInt8) {
    ((preferredPHYs.tx ?? supportedPHYs).rawValue, (preferredPHYs.rx ?? supportedPHYs).rawValue)
  }

  func setDefaultPHY(_ command: HCI.Command, _ tx: HCI.PHYMask?, _ rx: HCI.PHYMask?) {
    let problem = problem(withPHYs: tx, rx)
    if problem == nil { preferredPHYs = (tx, rx) }
    complete(command, unless: problem)
  }

  /// A preference names at least one PHY, and only such as the controller supports (7.8.48, 7.8.49).
  private func problem(withPHYs tx: HCI.PHYMask?, _ rx: HCI.PHYMask?) -> HCI.ErrorCode? {
    for mask in [tx, rx] {
      guard let mask else { continue }
      if mask.isEmpty { return .invalidParameters }
      if !mask.isSubset(of: supportedPHYs) { return .unsupportedFeature }
    }
    return nil
  }
}

extension HCI.ConnectionParameters {
  /// Ranges of Vol 4, Part E, 7.8.12 and 7.8.18.
  var areValid: Bool {
    (6...3_200).contains(intervalMinimum) && (6...3_200).contains(intervalMaximum)
      && intervalMinimum <= intervalMaximum && peripheralLatency <= 499 && (10...3_200).contains(supervisionTimeout)
      && Int(supervisionTimeout) * 10_000 > (1 + Int(peripheralLatency)) * Int(intervalMaximum) * 1_250 * 2
      && eventLengthMinimum <= eventLengthMaximum
  }
}

extension HCI.Command {
  /// Whether the link layer has to talk to the peer for it, after what it talks about already.
  fileprivate var startsProcedure: Bool {
    switch self {
    case .readRemoteVersionInformation, .leReadRemoteFeatures, .leSetPHY, .leConnectionUpdate, .leSetDataLength,
      .general(.leSubrateRequest), .general(.leRequestPeerSCA), .power(.leReadRemoteTransmitPowerLevel):
      true
    default: false
    }
  }
}
