public import BluetoothWire

/// What the stack knows of its own advertising.
struct HostAdvertiser {
  /// Asked for before the controller was ready.
  var wanted: (data: [UInt8], scanResponse: [UInt8], interval: UInt16?, kind: HCI.AdvertisingParameters.Kind?)?
  /// The controller has answered the last enable with success, and nothing has ended it.
  var isOn = false
  /// The state after all commands that are on their way.
  var willBeOn = false
  /// The first refusal since advertising was last set up; keeps the enable from being sent.
  var setupFailure: HCI.ErrorCode?
  /// As it was set up last.
  var kind = HCI.AdvertisingParameters.Kind.connectableUndirected
}

extension HostStack {
  /// Advertises as its configuration says, connectable and scannable (ADV_IND) unless it says otherwise; each part is
  /// at most 31 octets. While advertising, only the data change. The answer is `advertisingStarted`; asked before
  /// `poweredOn`, it comes after it.
  ///
  /// Directed advertising (ADV_DIRECT_IND) has no data. It is refused with 0x0B while there is a link with its target;
  /// the high duty cycle ends in `advertisingTimedOut` after 1.28 s without a connection (Vol 6, Part B, 4.4.2.4.3).
  /// - Parameters:
  ///   - interval: units of 0.625 ms, 0x0020 … 0x4000; nil: as configured. It holds from the next start on.
  ///   - kind: nil: as configured. It holds from the next start on.
  public func startAdvertising(
    data: [UInt8], scanResponse: [UInt8], interval: UInt16? = nil, kind: HCI.AdvertisingParameters.Kind? = nil
  ) {
    guard data.count <= 31, scanResponse.count <= 31 else {
      return emit(.advertisingStarted(.invalidParameters))
    }
    guard power == .on else { return advertiser.wanted = (data, scanResponse, interval, kind) }
    if advertiser.willBeOn {
      enqueue(.leSetAdvertisingData(data), .advertisingSetup)
      enqueue(.leSetScanResponseData(scanResponse), .advertisingUpdate)
      return
    }
    let kind = kind ?? configuration.advertisingKind
    if kind.isConnectable, isFull(of: .peripheral) {
      return emit(.advertisingStarted(.connectionLimitExceeded))
    }
    let target = kind.isDirected ? configuration.advertisingTarget : nil
    if let target, isLinked(with: target) { return emit(.advertisingStarted(.connectionAlreadyExists)) }
    var parameters = HCI.AdvertisingParameters(
      intervalMinimum: interval ?? configuration.advertisingInterval.lowerBound,
      intervalMaximum: interval ?? configuration.advertisingInterval.upperBound)
    parameters.ownAddressType = .init(address.kind)
    parameters.channelMap = configuration.advertisingChannels
    parameters.kind = kind
    parameters.peerAddress = target
    advertiser.willBeOn = true
    advertiser.setupFailure = nil
    enqueue(.leSetAdvertisingParameters(parameters), .advertisingSetup)
    enqueue(.leSetAdvertisingData(data), .advertisingSetup)
    enqueue(.leSetScanResponseData(scanResponse), .advertisingSetup)
    enqueue(.leSetAdvertisingEnable(true), .advertisingEnable)
  }

  /// Ends in `advertisingStopped` when there was something to stop.
  public func stopAdvertising() {
    advertiser.wanted = nil
    guard advertiser.willBeOn else { return }
    advertiser.willBeOn = false
    enqueue(.leSetAdvertisingEnable(false), .advertisingDisable)
  }

  func beginWantedAdvertising() {
    guard let wanted = advertiser.wanted else { return }
    advertiser.wanted = nil
    startAdvertising(
      data: wanted.data, scanResponse: wanted.scanResponse, interval: wanted.interval, kind: wanted.kind)
  }

  func advertisingUpdated(_ status: HCI.ErrorCode) {
    emit(.advertisingStarted(advertiser.setupFailure ?? status))
    advertiser.setupFailure = nil
  }

  func advertisingEnabled(_ status: HCI.ErrorCode) {
    if status == .success {
      advertiser.isOn = true
    } else if !commands.contains(.advertisingEnable) {
      advertiser.willBeOn = false
    }
    advertiser.setupFailure = nil
    emit(.advertisingStarted(status))
  }

  func advertisingDisabled(_ status: HCI.ErrorCode) {
    guard status == .success, advertiser.isOn else { return }
    advertiser.isOn = false
    emit(.advertisingStopped)
  }

  /// Advertising ends when a connection is made (Vol 6, Part B, 4.4.2.3).
  func advertisingEndedByConnection() { advertisingEnded(.advertisingStopped) }

  /// Directed advertising with a high duty cycle found nobody (Vol 4, Part E, 7.8.9).
  func advertisingTimedOut() { advertisingEnded(.advertisingTimedOut) }

  private func advertisingEnded(_ event: HostEvent) {
    guard advertiser.isOn else { return }
    advertiser.isOn = false
    if !commands.contains(.advertisingEnable) { advertiser.willBeOn = false }
    emit(event)
  }
}
