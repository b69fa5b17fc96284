import BluetoothWire
import SimKernel

/// What an advertising set sends (Vol 4, Part E, 7.8.53).
extension Controller {
  func set(_ parameters: HCI.ExtendedAdvertisingParameters) -> HCI.ErrorCode? {
    guard parameters.set <= Self.maximumSetHandle else { return .invalidParameters }
    guard parameters.properties.rawValue >> 7 == 0,
      parameters.primaryPHY != .leCoded || radio.configuration.supportsCoded
    else { return .unsupportedFeature }
    let wanted: AdvertisingSetup
    if parameters.properties.contains(.legacy) {
      guard let kind = parameters.properties.legacyKind else { return .invalidParameters }
      wanted = setup(parameters, kind)
    } else {
      switch extendedSetup(parameters) {
      case .success(let extended): wanted = setup(parameters, .nonConnectableUndirected, extended)
      case .failure(let problem): return problem.code
      }
    }
    guard areInRange(parameters, wanted.kind) else { return .invalidParameters }
    let known = advertisingSet(parameters.set)
    if known?.isEnabled == true { return .commandDisallowed }
    if let problem = known.flatMap({ problemOfTrain($0, wanted) }) { return problem }
    guard let set = known ?? radio.advertisers.prefix(advertisingSetCount).first(where: { $0.setHandle == nil }) else {
      return .memoryCapacityExceeded
    }
    guard keepsData(of: set, wanted) else { return .invalidParameters }
    set.setHandle = parameters.set
    set.setup = wanted
    (set.partialData, set.partialResponse) = (nil, nil)
    return nil
  }

  private struct Refusal: Error { var code: HCI.ErrorCode }

  private func setup(
    _ parameters: HCI.ExtendedAdvertisingParameters, _ kind: HCI.AdvertisingParameters.Kind,
    _ extended: ExtendedSetup? = nil
  ) -> AdvertisingSetup {
    AdvertisingSetup(
      kind: kind, interval: parameters.intervalMinimum, ownAddress: parameters.ownAddressType,
      peer: parameters.peerAddress ?? .none, channelMap: parameters.channelMap, filterPolicy: parameters.filterPolicy,
      reportsScanRequests: parameters.notifiesScanRequests, extended: extended)
  }

  /// A set with extended PDUs is not connectable and scannable at once, has no high duty cycle, and is anonymous only
  /// when it is neither.
  private func extendedSetup(_ parameters: HCI.ExtendedAdvertisingParameters) -> Result<ExtendedSetup, Refusal> {
    let properties = parameters.properties
    let isConnectable = properties.contains(.connectable)
    let isScannable = properties.contains(.scannable)
    if isConnectable && isScannable || properties.contains(.highDutyCycle)
      || properties.contains(.anonymous) && (isConnectable || isScannable)
    {
      return .failure(Refusal(code: .invalidParameters))
    }
    let phy: LL.AirPHY
    switch parameters.secondaryPHY {
    case .le1M: phy = .le1M
    case .le2M where radio.configuration.supports2M: phy = .le2M
    case .leCoded where radio.configuration.supportsCoded: phy = .codedS8
    case .le2M, .leCoded: return .failure(Refusal(code: .unsupportedFeature))
    default: return .failure(Refusal(code: .invalidParameters))
    }
    return .success(
      ExtendedSetup(
        mode: isConnectable ? .connectable : isScannable ? .scannable : .neither,
        isDirected: properties.contains(.directed), isAnonymous: properties.contains(.anonymous),
        includesTxPower: properties.contains(.includesTxPower),
        primaryPHY: parameters.primaryPHY == .leCoded ? .codedS8 : .le1M, secondaryPHY: phy,
        maximumSkip: parameters.secondaryMaximumSkip, sid: parameters.sid))
  }

  /// Whether a set may go on with the data that it has. With legacy PDUs, data that cannot be sent are forgotten.
  private func keepsData(of set: Advertiser, _ wanted: AdvertisingSetup) -> Bool {
    if wanted.extended != nil {
      return (wanted.takesData || set.data.isEmpty) && (wanted.isScannable || set.scanResponse.isEmpty)
    }
    let kept = (wanted.isDirected ? [] : set.data, wanted.isScannable ? set.scanResponse : [])
    guard max(kept.0.count, kept.1.count) <= LL.maximumAdvertisingData else { return false }
    (set.data, set.scanResponse) = kept
    return true
  }

  private func areInRange(
    _ parameters: HCI.ExtendedAdvertisingParameters, _ kind: HCI.AdvertisingParameters.Kind
  ) -> Bool {
    let hasInterval =
      kind == .connectableDirectedHighDuty
      || parameters.intervalMinimum >= 0x20 && parameters.intervalMinimum <= parameters.intervalMaximum
    return hasInterval && (1...7).contains(parameters.channelMap) && parameters.filterPolicy <= 3
      && (parameters.txPower == 127 || parameters.txPower <= 20) && parameters.sid <= 0x0F
      && (parameters.primaryPHY == .le1M
        || parameters.primaryPHY == .leCoded && !parameters.properties.contains(.legacy))
  }
}

extension HCI.AdvertisingEventProperties {
  /// The legacy PDU that these properties stand for (Vol 4, Part E, 7.8.53, Table 7.2); nil for none.
  var legacyKind: HCI.AdvertisingParameters.Kind? {
    switch self {
    case [.legacy, .connectable, .scannable]: .connectableUndirected
    case [.legacy, .connectable, .directed]: .connectableDirectedLowDuty
    case [.legacy, .connectable, .directed, .highDutyCycle]: .connectableDirectedHighDuty
    case [.legacy, .scannable]: .scannableUndirected
    case [.legacy]: .nonConnectableUndirected
    default: nil
    }
  }
}
