import BluetoothWire
import SimKernel

/// Periodic advertising (Vol 4, Part E, 7.8.61 … 7.8.63).
extension Controller {
  func execute(_ command: HCI.PeriodicCommand) {
    let whole = HCI.Command.periodic(command)
    switch command {
    case .leSetPeriodicAdvertisingParameters(let parameters): complete(whole, unless: set(parameters))
    case .leSetPeriodicAdvertisingData(let set, let operation, let data):
      complete(whole, unless: put(data, operation, ofTrain: set))
    case .leSetPeriodicAdvertisingEnable(let enable, let set): complete(whole, unless: self.enable(enable, train: set))
    default: executeSynchronising(command)
    }
  }

  /// - Parameter subevents: nil: version 1 of the command.
  func set(
    _ parameters: HCI.PeriodicAdvertisingParameters, _ subevents: HCI.SubeventParameters? = nil
  ) -> HCI.ErrorCode? {
    // Without subevents the rest does not count.
    let subevents = subevents?.timing.count == 0 ? nil : subevents
    var parameters = parameters
    guard parameters.set <= Self.maximumSetHandle else { return .invalidParameters }
    guard let set = advertisingSet(parameters.set) else { return .unknownAdvertisingIdentifier }
    guard set.setup.takesTrain, parameters.intervalMinimum >= 6,
      parameters.intervalMinimum <= parameters.intervalMaximum
    else { return .invalidParameters }
    if let subevents {
      guard subevents.timing.isValid(period: parameters.intervalMaximum, slots: subevents.slots) else {
        return .invalidParameters
      }
      // The shortest interval that the host allows and the subevents fit into.
      parameters.intervalMinimum = max(
        parameters.intervalMinimum, UInt16(subevents.timing.count) * UInt16(subevents.timing.interval))
    }
    if set.train?.isEnabled == true { return .commandDisallowed }
    let train = PeriodicTrain(
      parameters,
      stream: set.train?.stream
        ?? RandomStream(
          seed: radio.seed, component: "radio/" + radio.configuration.name, purpose: "periodic/\(set.index)"),
      subevents: subevents)
    train.data = subevents == nil ? set.train?.data ?? [] : []
    guard fits(train.data, train, as: set.setup) else { return .packetTooLong }
    set.train = train
    return nil
  }

  private func fits(_ data: [UInt8], _ train: PeriodicTrain, as setup: AdvertisingSetup) -> Bool {
    data.count <= train.room(on: setup.extended?.secondaryPHY ?? .le1M)
  }

  /// Several commands give the data; what a train sends is whole.
  private func put(
    _ data: [UInt8], _ operation: HCI.AdvertisingDataFragment.Operation, ofTrain handle: HCI.AdvertisingHandle
  ) -> HCI.ErrorCode? {
    guard handle <= Self.maximumSetHandle else { return .invalidParameters }
    guard let set = advertisingSet(handle) else { return .unknownAdvertisingIdentifier }
    // Subevents have data of their own.
    guard let train = set.train, train.plan == nil else { return .commandDisallowed }
    switch operation {
    // It would change the ADI, which trains do not have here.
    case .unchanged: return .invalidParameters
    case .complete: train.partialData = []
    case .first, .intermediate, .last:
      if data.isEmpty || operation != .first && train.partialData == nil { return .invalidParameters }
      if train.isEnabled { return .commandDisallowed }
      if operation == .first { train.partialData = [] }
    }
    let whole = (train.partialData ?? []) + data
    train.partialData = nil
    guard whole.count <= maximumAdvertisingData else { return .memoryCapacityExceeded }
    guard operation == .complete || operation == .last else {
      train.partialData = whole
      return nil
    }
    guard fits(whole, train, as: set.setup) else { return .packetTooLong }
    train.data = whole
    return nil
  }

  private func enable(_ enable: HCI.PeriodicEnable, train handle: HCI.AdvertisingHandle) -> HCI.ErrorCode? {
    guard handle <= Self.maximumSetHandle, enable.rawValue <= 3 else { return .invalidParameters }
    guard let set = advertisingSet(handle) else { return .unknownAdvertisingIdentifier }
    if enable.contains(.dataInfo) { return .unsupportedFeature }
    guard let train = set.train else { return .commandDisallowed }
    guard enable.contains(.on) else {
      world.stopTrain(set)
      train.isEnabled = false
      return nil
    }
    guard train.partialData == nil, set.setup.takesTrain else { return .commandDisallowed }
    guard fits(train.data, train, as: set.setup) else { return .packetTooLong }
    train.isEnabled = true
    if set.isEnabled { world.startTrain(set) }
    return nil
  }

  /// Why a set with a train cannot advertise otherwise (7.8.53).
  func problemOfTrain(_ set: Advertiser, _ wanted: AdvertisingSetup) -> HCI.ErrorCode? {
    guard let train = set.train, train.isEnabled else { return nil }
    if !wanted.takesTrain { return .invalidParameters }
    if train.isOnAir { return wanted.extended?.secondaryPHY != train.phy ? .commandDisallowed : nil }
    return fits(train.data, train, as: wanted) ? nil : .packetTooLong
  }
}

extension AdvertisingSetup {
  /// Periodic advertising goes with extended PDUs of sets that are not connectable, scannable or anonymous.
  var takesTrain: Bool { extended.map { $0.mode == .neither && !$0.isAnonymous } ?? false }
}

extension Advertiser {
  /// The set or its train is enabled.
  var isInUse: Bool { isEnabled || train?.isEnabled == true }
}
