import BluetoothWire
import SimKernel

/// Data and scan responses of advertising sets (Vol 4, Part E, 7.8.54, 7.8.55).
extension Controller {
  func put(_ fragment: HCI.AdvertisingDataFragment, isScanResponse: Bool) -> HCI.ErrorCode? {
    guard fragment.set <= Self.maximumSetHandle else { return .invalidParameters }
    guard let set = advertisingSet(fragment.set) else { return .unknownAdvertisingIdentifier }
    guard fragment.fragmentPreference <= 1 else { return .invalidParameters }
    let takesData = isScanResponse ? set.setup.isScannable : set.setup.takesData
    if !takesData, !fragment.data.isEmpty { return .invalidParameters }
    if set.setup.extended != nil { return assemble(fragment, set, isScanResponse: isScanResponse) }
    // With legacy PDUs the data come whole, and at most 31 octets.
    guard fragment.operation == .complete, fragment.data.count <= LL.maximumAdvertisingData else {
      return .invalidParameters
    }
    if isScanResponse { set.scanResponse = fragment.data } else { set.data = fragment.data }
    return nil
  }

  /// Several commands give the data of a set with extended PDUs; what it sends is whole.
  private func assemble(
    _ fragment: HCI.AdvertisingDataFragment, _ set: Advertiser, isScanResponse: Bool
  ) -> HCI.ErrorCode? {
    var partial = isScanResponse ? set.partialResponse : set.partialData
    switch fragment.operation {
    case .unchanged:
      guard !isScanResponse, set.isEnabled, !set.data.isEmpty, fragment.data.isEmpty else { return .invalidParameters }
      set.auxiliary.renewData()
      return nil
    case .complete: partial = []
    case .first, .intermediate, .last:
      if fragment.data.isEmpty || fragment.operation != .first && partial == nil { return .invalidParameters }
      if set.isEnabled { return .commandDisallowed }
      if fragment.operation == .first { partial = [] }
    }
    let data = (partial ?? []) + fragment.data
    guard data.count <= maximumAdvertisingData else { return .memoryCapacityExceeded }
    let isWhole = fragment.operation == .complete || fragment.operation == .last
    if isWhole {
      if set.isEnabled, isScanResponse ? data.isEmpty : !fits(data, set) { return .invalidParameters }
      if isScanResponse { set.scanResponse = data } else { set.data = data }
      set.auxiliary.renewData()
    }
    if isScanResponse {
      set.partialResponse = isWhole ? nil : data
    } else {
      set.partialData = isWhole ? nil : data
    }
    return nil
  }

  /// The data of a connectable set are in one AUX_ADV_IND.
  private func fits(_ data: [UInt8], _ set: Advertiser) -> Bool {
    guard let extended = set.setup.extended, extended.mode == .connectable else { return true }
    return data.count <= extended.room
  }

  /// Why a set cannot advertise with the data that it has (7.8.56).
  func problemOfData(_ set: Advertiser) -> HCI.ErrorCode? {
    guard let extended = set.setup.extended else { return nil }
    if set.partialData != nil || set.partialResponse != nil { return .commandDisallowed }
    if extended.mode == .scannable, set.scanResponse.isEmpty { return .commandDisallowed }
    return fits(set.data, set) ? nil : .invalidParameters
  }
}
