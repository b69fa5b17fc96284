import BluetoothWire
import SimKernel

/// Extended advertising commands (Vol 4, Part E, 7.8.52 … 7.8.60), for sets with legacy PDUs.
extension Controller {
  func execute(_ command: HCI.ExtendedCommand) {
    let whole = HCI.Command.extended(command)
    switch command {
    case .leSetAdvertisingSetRandomAddress(let handle, let address):
      complete(whole, unless: setRandomAddress(address, of: handle))
    case .leSetExtendedAdvertisingParameters(let parameters):
      let problem = set(parameters)
      complete(whole, status: problem ?? .success, [problem == nil ? UInt8(bitPattern: transmitPower) : 0])
    case .leSetExtendedAdvertisingData(let fragment):
      complete(whole, unless: put(fragment, isScanResponse: false))
    case .leSetExtendedScanResponseData(let fragment):
      complete(whole, unless: put(fragment, isScanResponse: true))
    case .leSetExtendedAdvertisingEnable(let enable, let sets):
      complete(whole, unless: enable ? self.enable(sets) : disable(sets))
    case .leReadMaximumAdvertisingDataLength: complete(whole, little(UInt16(LL.maximumAdvertisingData)))
    case .leReadNumberOfSupportedAdvertisingSets: complete(whole, [UInt8(radio.advertisers.count)])
    case .leRemoveAdvertisingSet(let handle):
      guard handle <= Self.maximumSetHandle else { return complete(whole, status: .invalidParameters) }
      guard let set = advertisingSet(handle) else { return complete(whole, status: .unknownAdvertisingIdentifier) }
      guard !set.isEnabled else { return complete(whole, status: .commandDisallowed) }
      set.forget()
      complete(whole)
    case .leClearAdvertisingSets:
      guard !radio.advertisers.contains(where: \.isEnabled) else { return complete(whole, status: .commandDisallowed) }
      for set in radio.advertisers { set.forget() }
      complete(whole)
    case .leSetExtendedScanParameters(let parameters): complete(whole, unless: set(parameters))
    case .leSetExtendedScanEnable(let enable): complete(whole, unless: set(enable))
    case .leExtendedCreateConnection(let creation): create(whole, creation)
    }
  }

  private static let maximumSetHandle: HCI.AdvertisingHandle = 0xEF

  private func advertisingSet(_ handle: HCI.AdvertisingHandle) -> Advertiser? {
    radio.advertisers.first { $0.setHandle == handle }
  }

  private func setRandomAddress(_ address: BluetoothAddress, of handle: HCI.AdvertisingHandle) -> HCI.ErrorCode? {
    guard handle <= Self.maximumSetHandle else { return .invalidParameters }
    guard let set = advertisingSet(handle) else { return .unknownAdvertisingIdentifier }
    if set.isEnabled, set.setup.isConnectable { return .commandDisallowed }
    set.randomAddress = address
    return nil
  }

  // MARK: Parameters (7.8.53)

  private func set(_ parameters: HCI.ExtendedAdvertisingParameters) -> HCI.ErrorCode? {
    guard parameters.set <= Self.maximumSetHandle else { return .invalidParameters }
    // What needs ADV_EXT_IND or another PHY than LE 1M is not there.
    guard parameters.properties.contains(.legacy), parameters.properties.rawValue >> 7 == 0,
      parameters.primaryPHY != .leCoded
    else { return .unsupportedFeature }
    guard let kind = parameters.properties.legacyKind, areInRange(parameters, kind) else { return .invalidParameters }
    if advertisingSet(parameters.set)?.isEnabled == true { return .commandDisallowed }
    guard let set = advertisingSet(parameters.set) ?? radio.advertisers.first(where: { $0.setHandle == nil }) else {
      return .memoryCapacityExceeded
    }
    set.setHandle = parameters.set
    set.setup = AdvertisingSetup(
      kind: kind, interval: parameters.intervalMinimum, ownAddress: parameters.ownAddressType,
      peer: parameters.peerAddress ?? .none, channelMap: parameters.channelMap, filterPolicy: parameters.filterPolicy,
      reportsScanRequests: parameters.notifiesScanRequests)
    if set.setup.isDirected { set.data = [] }
    if !set.setup.isScannable { set.scanResponse = [] }
    return nil
  }

  private func areInRange(
    _ parameters: HCI.ExtendedAdvertisingParameters, _ kind: HCI.AdvertisingParameters.Kind
  ) -> Bool {
    let hasInterval =
      kind == .connectableDirectedHighDuty
      || parameters.intervalMinimum >= 0x20 && parameters.intervalMinimum <= parameters.intervalMaximum
    return hasInterval && (1...7).contains(parameters.channelMap) && parameters.filterPolicy <= 3
      && (parameters.txPower == 127 || parameters.txPower <= 20) && parameters.primaryPHY == .le1M
      && parameters.sid <= 0x0F
  }

  // MARK: Data (7.8.54, 7.8.55)

  /// With legacy PDUs the data come whole, and at most 31 octets.
  private func put(_ fragment: HCI.AdvertisingDataFragment, isScanResponse: Bool) -> HCI.ErrorCode? {
    guard fragment.set <= Self.maximumSetHandle else { return .invalidParameters }
    guard let set = advertisingSet(fragment.set) else { return .unknownAdvertisingIdentifier }
    guard fragment.operation == .complete, fragment.fragmentPreference <= 1,
      fragment.data.count <= LL.maximumAdvertisingData
    else { return .invalidParameters }
    let takesData = isScanResponse ? set.setup.isScannable : !set.setup.isDirected
    if !takesData, !fragment.data.isEmpty { return .invalidParameters }
    if isScanResponse { set.scanResponse = fragment.data } else { set.data = fragment.data }
    return nil
  }

  // MARK: Enable (7.8.56)

  /// All of the sets or none.
  private func enable(_ sets: [HCI.AdvertisingSetEnable]) -> HCI.ErrorCode? {
    guard !sets.isEmpty, !hasTwins(sets) else { return .invalidParameters }
    var wanted: [(Advertiser, HCI.AdvertisingSetEnable)] = []
    for entry in sets {
      guard entry.set <= Self.maximumSetHandle else { return .invalidParameters }
      guard let set = advertisingSet(entry.set) else { return .unknownAdvertisingIdentifier }
      if set.setup.kind == .connectableDirectedHighDuty, !(1...128).contains(entry.duration) {
        return .invalidParameters
      }
      if let problem = problemOfEnabling(set, random: set.randomAddress) { return problem }
      wanted.append((set, entry))
    }
    for (set, entry) in wanted {
      set.duration = entry.duration
      set.maximumEvents = entry.maximumEvents
      world.startAdvertising(set)
    }
    return nil
  }

  /// No sets means all of them.
  private func disable(_ sets: [HCI.AdvertisingSetEnable]) -> HCI.ErrorCode? {
    guard !hasTwins(sets) else { return .invalidParameters }
    for entry in sets {
      guard entry.set <= Self.maximumSetHandle else { return .invalidParameters }
      guard advertisingSet(entry.set) != nil else { return .unknownAdvertisingIdentifier }
    }
    for set in radio.advertisers
    where sets.isEmpty || sets.contains(where: { $0.set == set.setHandle }) {
      world.stopAdvertising(set)
    }
    return nil
  }

  private func hasTwins(_ sets: [HCI.AdvertisingSetEnable]) -> Bool {
    sets.indices.contains { index in sets[..<index].contains { $0.set == sets[index].set } }
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
