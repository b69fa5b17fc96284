import BluetoothWire
import SimKernel

/// Extended advertising commands (Vol 4, Part E, 7.8.52 … 7.8.60).
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
    case .leReadMaximumAdvertisingDataLength: complete(whole, little(UInt16(maximumAdvertisingData)))
    case .leReadNumberOfSupportedAdvertisingSets: complete(whole, [UInt8(advertisingSetCount)])
    case .leRemoveAdvertisingSet(let handle):
      guard handle <= Self.maximumSetHandle else { return complete(whole, status: .invalidParameters) }
      guard let set = advertisingSet(handle) else { return complete(whole, status: .unknownAdvertisingIdentifier) }
      guard !set.isInUse else { return complete(whole, status: .commandDisallowed) }
      set.forget()
      complete(whole)
    case .leClearAdvertisingSets:
      guard !radio.advertisers.contains(where: \.isInUse) else { return complete(whole, status: .commandDisallowed) }
      for set in radio.advertisers { set.forget() }
      complete(whole)
    case .leSetExtendedScanParameters(let parameters): complete(whole, unless: set(parameters))
    case .leSetExtendedScanEnable(let enable): complete(whole, unless: set(enable))
    case .leExtendedCreateConnection(let creation): create(whole, creation)
    }
  }

  static let maximumSetHandle: HCI.AdvertisingHandle = 0xEF

  func advertisingSet(_ handle: HCI.AdvertisingHandle) -> Advertiser? {
    radio.advertisers.first { $0.setHandle == handle }
  }

  private func setRandomAddress(_ address: BluetoothAddress, of handle: HCI.AdvertisingHandle) -> HCI.ErrorCode? {
    guard handle <= Self.maximumSetHandle else { return .invalidParameters }
    guard let set = advertisingSet(handle) else { return .unknownAdvertisingIdentifier }
    if set.isEnabled, set.setup.isConnectable { return .commandDisallowed }
    set.randomAddress = address
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
      if let problem = problemOfEnabling(set, random: set.randomAddress) ?? problemOfData(set) { return problem }
      wanted.append((set, entry))
    }
    for (set, entry) in wanted {
      set.duration = entry.duration
      set.maximumEvents = entry.maximumEvents
      world.startAdvertising(set)
      world.startTrain(set)
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
