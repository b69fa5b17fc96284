public import BluetoothWire
import SimKernel

extension HostStack {
  /// LE features in the mask of LE Read Remote Features Complete (Vol 6, Part B, 4.6).
  private static let dataLengthExtension: UInt64 = 1 << 5
  private static let le2M: UInt64 = 1 << 8
  private static let leCoded: UInt64 = 1 << 11

  /// What follows a new connection without being asked for.
  func beginLink(_ link: Link) {
    if link.role == .central {
      beginProtection(link)
      if supportedCommands.contains(.leReadRemoteFeatures) {
        enqueue(.leReadRemoteFeatures(link.handle), .remoteFeatures(link.handle))
      } else {
        requestDataLength(link)
      }
      if configuration.exchangesMTUAutomatically { exchangeMTU(link.handle, configuration.clientATTMTU) }
    } else {
      requestDataLength(link)
      if configuration.peripheralPreferredParameters != nil {
        link.parameterRequestTime = now + configuration.parameterUpdateDelay
        isDeadlineCacheStale = true
      }
    }
  }

  func receiveRadioEvent(_ event: HCI.Event) {
    switch event {
    case .leAdvertisingReport(let report): receive(report)
    case .leConnectionComplete(let complete): receive(complete)
    case .extended(.leEnhancedConnectionComplete(let complete)): receive(complete.connection)
    case .extended(.leExtendedAdvertisingReport(let report)): receive(report)
    case .extended(.leAdvertisingSetTerminated(let ended)): receive(ended)
    case .encryption(let event): receive(event)
    case .disconnectionComplete(let handle, let status, let reason):
      if status == .success, awaitedEnd?.handle == handle { return awaitedEnd = nil }
      if status == .success { removeLink(handle, reason: reason) } else { link(handle)?.isDisconnecting = false }
    case .leConnectionUpdateComplete(let handle, let status, let interval, let latency, let timeout):
      guard let link = link(handle) else { return }
      let wanted = link.wantedInterval
      link.wantedInterval = nil
      if status == .unsupportedRemoteFeature, link.role == .peripheral, let wanted {
        requestParameters(link, parameters(link, wanted))
      }
      if status == .unacceptableConnectionParameters, link.role == .peripheral {
        emit(.parameterUpdateAnswered(handle, accepted: false))
      }
      guard status == .success else { return }
      link.interval = interval
      link.peripheralLatency = latency
      link.supervisionTimeout = timeout
      emit(
        .connectionParameters(
          handle, interval: interval, peripheralLatency: latency, supervisionTimeout: timeout))
    case .leReadRemoteFeaturesComplete(let handle, let status, let features):
      guard let link = link(handle), link.role == .central else { return }
      link.remoteFeatures = status == .success ? features : 0
      if link.remoteFeatures & Self.dataLengthExtension == 0 { requestPHY(link) } else { requestDataLength(link) }
    case .leRemoteConnectionParameterRequest(let handle, let parameters):
      answerParameterRequest(handle, parameters)
    case .leDataLengthChange(let handle, let tx, _, let rx, _):
      if link(handle) != nil { emit(.dataLength(handle, tx: tx, rx: rx)) }
    case .lePHYUpdateComplete(let handle, let status, let tx, let rx):
      guard let link = link(handle) else { return }
      emit(status == .success ? .phy(handle, tx: tx, rx: rx) : .phyRefused(handle, status))
      if status == .success, tx == .leCoded { requestCoding(link) }
    default: break
    }
  }

  func requestDataLength(_ link: Link) {
    guard let requested = configuration.requestedDataLength, supportedCommands.contains(.leSetDataLength) else {
      return requestPHY(link)
    }
    let octets = min(max(requested, 27), 251)
    // The time that the octets take on LE 1M: preamble, access address, header, MIC and CRC are 14 octets more; or on
    // LE Coded with S = 8, where the controller has it.
    let time = configuration.hasCoded ? octets * 64 + 976 : (octets + 14) * 8
    enqueue(.leSetDataLength(link.handle, txOctets: octets, txTime: time), .dataLength(link.handle))
  }

  func requestPHY(_ link: Link) {
    guard supportedCommands.contains(.leSetPHY) else { return }
    if let coding = configuration.requestedCoding, link.role == .central, link.remoteFeatures & Self.leCoded != 0 {
      let options: HCI.PHYOptions = coding == .s2 ? .s2 : .s8
      return enqueue(.leSetPHY(link.handle, tx: .leCoded, rx: .leCoded, options: options), .link(link.handle))
    }
    guard configuration.requested2M, link.role == .central, link.remoteFeatures & Self.le2M != 0 else { return }
    enqueue(.leSetPHY(link.handle, tx: .le2M, rx: .le2M), .link(link.handle))
  }

  /// A peripheral whose central has moved the link to LE Coded has its controller send as it prefers; without a wish it
  /// would send with eight symbols a bit.
  private func requestCoding(_ link: Link) {
    guard link.role == .peripheral, configuration.requestedCoding == .s2, !link.hasRequestedCoding else { return }
    link.hasRequestedCoding = true
    enqueue(.leSetPHY(link.handle, tx: .leCoded, rx: .leCoded, options: .s2), .link(link.handle))
  }

  /// Wishes a link to use one of these PHYs each way; the controller decides. Ends in `phy` or `phyRefused`.
  /// Spec: Core v5.4, Vol 4, Part E, 7.8.49.
  public func preferPHY(
    _ handle: HCI.ConnectionHandle, tx: HCI.PHYMask, rx: HCI.PHYMask, options: HCI.PHYOptions = .none
  ) {
    guard link(handle) != nil else { return }
    guard supportedCommands.contains(.leSetPHY) else { return emit(.phyRefused(handle, .unknownCommand)) }
    enqueue(.leSetPHY(handle, tx: tx, rx: rx, options: options), .phy(handle))
  }

  /// The Link Layer's Connection Parameter Request procedure (Vol 4, Part E, 7.7.65.6).
  private func answerParameterRequest(_ handle: HCI.ConnectionHandle, _ parameters: HCI.ConnectionParameters) {
    guard let link = link(handle) else { return }
    let parameters = raised(parameters, as: link.role)
    if accepts(parameters, as: link.role) {
      enqueue(.leRemoteConnectionParameterRequestReply(handle, parameters), .link(handle))
    } else {
      enqueue(
        .leRemoteConnectionParameterRequestNegativeReply(handle, reason: .unacceptableConnectionParameters),
        .link(handle))
    }
  }

  /// What a central makes of parameters that it is asked for.
  func raised(_ parameters: HCI.ConnectionParameters, as role: HCI.Role) -> HCI.ConnectionParameters {
    guard configuration.raisesShortIntervals, role == .central else { return parameters }
    var raised = parameters
    let least = configuration.acceptableInterval.lowerBound
    raised.intervalMinimum = max(least, parameters.intervalMinimum)
    raised.intervalMaximum = max(least, parameters.intervalMaximum)
    return raised
  }

  /// Whether parameters keep the ranges of Vol 3, Part A, 4.20, and, for a central, those of the configuration.
  func accepts(_ parameters: HCI.ConnectionParameters, as role: HCI.Role) -> Bool {
    let intervals = 6...3200 as ClosedRange<UInt16>
    guard parameters.intervalMinimum <= parameters.intervalMaximum,
      intervals.contains(parameters.intervalMinimum), intervals.contains(parameters.intervalMaximum),
      parameters.peripheralLatency <= 499, (10...3200).contains(parameters.supervisionTimeout)
    else { return false }
    // timeout × 10 ms > (1 + latency) × interval × 1.25 ms × 2
    let effective = (1 + Int(parameters.peripheralLatency)) * Int(parameters.intervalMaximum)
    guard Int(parameters.supervisionTimeout) * 4 > effective else { return false }
    guard role == .central else { return true }
    return configuration.acceptableInterval.contains(parameters.intervalMinimum)
      && configuration.acceptableInterval.contains(parameters.intervalMaximum)
      && parameters.peripheralLatency <= configuration.acceptableLatency
      && configuration.acceptableTimeout.contains(parameters.supervisionTimeout)
  }

  func linkTimers(_ link: Link) {
    if link.parameterRequestTime <= now {
      link.parameterRequestTime = .distantFuture
      requestPreferredParameters(link)
    }
    if link.parameterRequestDeadline <= now { parameterRequestAnswered(link, isAccepted: false) }
    securityTimer(link)
    if link.requestDeadline <= now || link.indicationDeadline <= now { transactionTimedOut(link) }
    if link.channelDeadline <= now { channelTimers(link) }
    if link.firstRequest <= now {
      link.firstRequest = .distantFuture
      beginNextProcedure(link)
    }
    if link.slowsDown <= now { slowDown(link) }
  }

  // MARK: What an owner asks for

  /// Changes the parameters of a link: a central decides, a peripheral asks (Vol 4, Part E, 7.8.18). nil is the value
  /// that the link has.
  public func updateConnection(
    _ handle: HCI.ConnectionHandle, interval: UInt16?, peripheralLatency: UInt16?, supervisionTimeout: UInt16?
  ) {
    guard let link = link(handle), !link.isDisconnecting else { return }
    let interval = interval ?? link.interval
    let latency = peripheralLatency ?? link.peripheralLatency
    // Above (1 + latency) · interval · 2 (Vol 4, Part E, 7.8.18), in units of 10 ms.
    let effective: Int = (1 + Int(latency)) * Int(interval)
    let least = UInt16(min(3_200, effective / 4 + 1))
    let parameters = HCI.ConnectionParameters(
      intervalMinimum: interval, intervalMaximum: interval, peripheralLatency: latency,
      supervisionTimeout: supervisionTimeout ?? max(link.supervisionTimeout, least))
    enqueue(.leConnectionUpdate(handle, parameters), .link(handle))
  }

  /// Wishes the interval of a link to be in a range, units of 1.25 ms: a central changes it, a peripheral asks, by the
  /// Link Layer's Connection Parameter Request procedure, or by L2CAP when the other end does not have that
  /// (Vol 3, Part A, 4.20).
  ///
  /// - Returns: false outside of 6 … 3200, or where the supervision timeout is too short for it: nobody is asked.
  ///
  /// Not modelled: T_GAP(conn_param_timeout) between wishes (Vol 3, Part C, 9.3.9.2).
  @discardableResult
  public func requestInterval(_ handle: HCI.ConnectionHandle, _ range: ClosedRange<UInt16>) -> Bool {
    guard let link = link(handle), !link.isDisconnecting else { return true }
    let parameters = parameters(link, range)
    guard accepts(parameters, as: .peripheral) else { return false }
    link.wantedInterval = range
    enqueue(.leConnectionUpdate(handle, parameters), .link(handle))
    return true
  }

  private func parameters(_ link: Link, _ range: ClosedRange<UInt16>) -> HCI.ConnectionParameters {
    HCI.ConnectionParameters(
      intervalMinimum: range.lowerBound, intervalMaximum: range.upperBound,
      peripheralLatency: link.peripheralLatency, supervisionTimeout: link.supervisionTimeout)
  }

  /// Tells the controller which data channels, 0 … 36, may be used on links on which it is the central
  /// (Vol 4, Part E, 7.8.19); a reset forgets it.
  public func useChannels(_ channels: ClosedRange<Int>) {
    guard power == .on else { return }
    enqueue(.leSetHostChannelClassification(channels.reduce(0) { $0 | 1 << UInt64($1) }), .setting)
  }
}
