import BluetoothWire
import SimKernel

/// Link-layer control procedures that this end starts (Vol 6, Part B, 5.1 and 5.3): one at a time, 40 s for an answer.
extension RadioWorld {
  /// T_PRT (Vol 6, Part B, 5.2).
  static let procedureResponseTimeout = SimDuration.seconds(40)
  /// By how much more than six events a new channel map is announced ahead. Decision.
  private static let channelMapDelay = SimDuration.milliseconds(500)
  /// Features of every controller here: encryption, connection parameter request, extended reject, peripheral features,
  /// ping, data length, 2M, LE Coded, channel selection #2, minimum used channels, sync transfer, clock accuracy, power
  /// control, path loss monitoring, connection subrating, channel classification, periodic advertising with responses
  /// (Vol 6, Part B, 4.6).
  static func features(of configuration: RadioConfiguration) -> UInt64 {
    var bits: UInt64 = 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4
    if configuration.supportsEncryption { bits |= 1 << 0 }
    if configuration.maximumDataLength > 27 { bits |= 1 << 5 }
    if configuration.supports2M { bits |= 1 << 8 }
    if configuration.supportsCoded { bits |= 1 << 11 }
    if configuration.supportsChannelSelection2 { bits |= 1 << 14 }
    if configuration.supportsSyncTransfer { bits |= 1 << 24 | 1 << 25 }
    if configuration.minimumUsedChannels > 0 { bits |= 1 << 16 }
    if configuration.supportsClockUpdates { bits |= 1 << 26 }
    if configuration.supportsPowerControl { bits |= powerFeatures | 1 << 35 }
    if configuration.supportsSubrating { bits |= 1 << 37 }
    if configuration.supportsChannelReports { bits |= 1 << 39 }
    if configuration.supportsPeriodicResponses { bits |= 1 << 43 | 1 << 44 }
    if let model = configuration.model { bits &= model.features }
    return bits
  }

  /// Queues a procedure; it starts when those before it have ended.
  func start(_ procedure: LocalProcedure, _ end: LinkEnd, _ c: Connection) {
    if case .terminate = procedure {
      // Termination does not wait for other procedures (Vol 6, Part B, 5.1.6).
      end.procedures.removeAll()
      begin(procedure, end, c)
      return
    }
    end.procedures.append(procedure)
    startNext(end, c)
  }

  /// Begins the next procedure of this end. What needs an instant waits until the one that is set is over.
  func startNext(_ end: LinkEnd, _ c: Connection) {
    guard end.procedure == nil, end.isPresent, !end.holdsTraffic, let next = end.procedures.first,
      c.pending == nil || !next.setsInstant(of: end.role)
    else { return }
    _ = end.procedures.popFirst()
    begin(next, end, c)
  }

  /// The procedure has ended, successfully or not.
  func finishProcedure(_ end: LinkEnd, _ c: Connection) {
    end.procedure = nil
    if let handle = end.procedureTimeout {
      timeline.cancel(handle)
      end.procedureTimeout = nil
    }
    startNext(end, c)
  }

  private func begin(_ procedure: LocalProcedure, _ end: LinkEnd, _ c: Connection) {
    end.procedure = procedure
    armProcedureTimeout(end, c)
    switch procedure {
    case .features:
      let features = end.radio.controller.linkFeatures
      send(end.role == .central ? .featureReq(features) : .peripheralFeatureReq(features), end, c)
    case .version:
      sendVersion(end, c)
    case .dataLength:
      send(.lengthReq(dataLength(of: end)), end, c)
    case .phy(let tx, let rx):
      send(.phyReq(txPHYs: tx, rxPHYs: rx), end, c)
    case .connectionUpdate(let parameters):
      sendConnectionUpdate(parameters, end, c)
    case .parameterRequest(let parameters):
      send(.connectionParamReq(parameterRequest(parameters, c)), end, c)
    case .channelMap(let map):
      guard map != c.channelMap.bits else {
        finishProcedure(end, c)
        return
      }
      // Nothing is urgent, and a peripheral that hears of it too late is lost: time enough for a burst to pass.
      let instant = nextInstant(c) &+ UInt16(clamping: Self.channelMapDelay.nanoseconds / c.interval.nanoseconds)
      c.pending = PendingInstant(change: .channelMap(map), instant: instant)
      send(.channelMapInd(channelMap: map, instant: instant), end, c)
    case .encryption: beginEncryption(end, c)
    case .ping: send(.pingReq, end, c)
    case .subrateUpdate(let wish, let isOwn): beginSubrateUpdate(wish, end, c, isOwn: isOwn)
    case .syncTransfer(let source, let service): beginSyncTransfer(source, service: service, end, c)
    case .subrateRequest(let wish): send(.subrateReq(wish), end, c)
    case .powerControl(let phy, let delta, _): beginPowerRequest(phy: phy, delta: delta, end, c)
    case .clockAccuracy: send(.clockAccuracyReq(end.radio.clockAccuracyCode), end, c)
    case .announcement(let pdu): send(pdu, end, c)
    case .terminate(let reason):
      end.isTerminating = true
      end.radio.controller.discard(end)
      send(.terminateInd(errorCode: reason), end, c, isTerminate: true)
      // Without an acknowledgement the link still ends, with its supervision timeout: of what came, or of this instant.
      end.terminationDue = timeline.now + end.radio.trueTime(end.supervisionTimeout)
      armSupervision(end, c)
    }
  }

  private func armProcedureTimeout(_ end: LinkEnd, _ c: Connection) {
    if let handle = end.procedureTimeout { timeline.cancel(handle) }
    end.procedureTimeout = schedule(
      .procedureTimeout, c.index, at: timeline.now + end.radio.trueTime(Self.procedureResponseTimeout),
      argument: UInt64(end.role.rawValue))
  }

  /// An instant at least six events ahead that both ends use (Vol 6, Part B, 5.5), more when the peripheral sleeps.
  /// A parked link is brought to its present event first: until then its counter is that of the event at which it was
  /// parked, and the instant would be over before it is told.
  func nextInstant(_ c: Connection) -> UInt16 {
    if c.isParked { unpark(c) }
    // The peripheral may know the parameters that the central has only sent, or not know them yet.
    let known = [c.central.subrating, c.subrateUpdate ?? c.central.subrating]
    return c.eventCounter &+ (known.map { (6 + $0.latency) * $0.factor }.max() ?? 6)
  }

  func send(_ pdu: LL.ControlPDU, _ end: LinkEnd, _ c: Connection, isTerminate: Bool = false) {
    if c.isParked { unpark(c) }
    let outgoing = OutgoingPDU(kind: .control, octets: pdu.octets, opcode: pdu.opcode, isTerminate: isTerminate)
    if end.holdsTraffic, !isTerminate, let security = end.security {
      security.held.append(outgoing)
    } else {
      end.enqueue(outgoing)
    }
  }

  func sendVersion(_ end: LinkEnd, _ c: Connection) {
    if end.sentVersion {
      // Only one LL_VERSION_IND a connection; the cached answer serves the host.
      reportVersion(end)
      finishProcedure(end, c)
      return
    }
    end.sentVersion = true
    let own = end.radio.controller.linkVersion
    send(.versionInd(version: own.version, company: own.company, subversion: own.subversion), end, c)
    if end.peerVersion != nil, end.procedure == .version {
      reportVersion(end)
      finishProcedure(end, c)
    }
  }

  func reportVersion(_ end: LinkEnd) {
    let peer = end.peerVersion
    end.radio.controller.emit(
      .readRemoteVersionInformationComplete(
        end.handle, status: peer == nil ? .llResponseTimeout : .success, version: peer?.version ?? 0,
        company: peer?.company ?? 0, subversion: peer?.subversion ?? 0))
  }

  /// The central changes the parameters as the peripheral has answered, or alone, because it could not be asked.
  func updateAfterRequest(_ parameters: HCI.ConnectionParameters, _ end: LinkEnd, _ c: Connection) {
    if c.pending == nil {
      end.procedure = .connectionUpdate(parameters)
      armProcedureTimeout(end, c)
      sendConnectionUpdate(parameters, end, c)
    } else {
      end.procedures.append(.connectionUpdate(parameters))
      finishProcedure(end, c)
    }
  }

  private func sendConnectionUpdate(_ parameters: HCI.ConnectionParameters, _ end: LinkEnd, _ c: Connection) {
    let instant = nextInstant(c)
    let interval = chooseInterval(parameters, c)
    c.pending = PendingInstant(
      change: .parameters(
        windowSize: 1, windowOffset: 0, interval: interval, latency: parameters.peripheralLatency,
        timeout: parameters.supervisionTimeout, eventLength: parameters.eventLengthMaximum),
      instant: instant)
    send(
      .connectionUpdateInd(
        windowSize: 1, windowOffset: 0, interval: interval, latency: parameters.peripheralLatency,
        timeout: parameters.supervisionTimeout, instant: instant), end, c)
  }

  private func chooseInterval(_ parameters: HCI.ConnectionParameters, _ c: Connection) -> UInt16 {
    let wanted = min(max(c.intervalUnits, parameters.intervalMinimum), parameters.intervalMaximum)
    return c.isCoded ? max(wanted, leastCodedInterval(c.central, c)) : wanted
  }

  private func parameterRequest(_ parameters: HCI.ConnectionParameters, _ c: Connection) -> LL.ConnectionParam {
    LL.ConnectionParam(
      intervalMin: parameters.intervalMinimum, intervalMax: parameters.intervalMaximum,
      latency: parameters.peripheralLatency, timeout: parameters.supervisionTimeout)
  }

  func dataLength(of end: LinkEnd) -> LL.DataLength {
    // To a peer that has said that it lacks LE Coded, times are those of LE 1M.
    let most = end.peerFeatures.map { $0 & 1 << 11 == 0 } ?? false ? Self.longestUncoded : .max
    return LL.DataLength(
      maxRxOctets: UInt16(end.maxRxOctets), maxRxTime: min(end.maxRxTime, most), maxTxOctets: UInt16(end.maxTxOctets),
      maxTxTime: min(end.maxTxTime, most))
  }

  func procedureExpired(_ c: Connection, role: HCI.Role) {
    let end = c.end(role)
    end.procedureTimeout = nil
    guard end.isPresent, end.procedure != nil else { return }
    drop(end, c, reason: end.isTerminating ? .connectionTerminatedByLocalHost : .llResponseTimeout)
  }

  /// A control PDU of this end was acknowledged.
  func controlAcknowledged(_ end: LinkEnd, _ c: Connection, _ pdu: PDUInFlight) {
    if pdu.isTerminate {
      drop(end, c, reason: .connectionTerminatedByLocalHost)
      return
    }
    let opcode = pdu.opcode
    if opcode == LL.ControlOpcode.subrateInd { subrateAcknowledged(end, c) }
    let isOfTrain = opcode == LL.ControlOpcode.periodicSyncInd || opcode == LL.ControlOpcode.periodicSyncWRInd
    if isOfTrain, case .syncTransfer? = end.procedure { finishProcedure(end, c) }
    if case .announcement(let told)? = end.procedure, told.opcode == opcode { finishProcedure(end, c) }
    if opcode == LL.ControlOpcode.startEncRsp, end.role == .peripheral { completeEncryption(end, c) }
    let carriesInstant =
      opcode == LL.ControlOpcode.connectionUpdateInd || opcode == LL.ControlOpcode.channelMapInd
      || opcode == LL.ControlOpcode.phyUpdateInd
    if carriesInstant { c.pending?.isKnownToPeripheral = true }
  }
}
