import AppSeam

/// What apps ask of the other end of a link that has one answer, by type or by handle.
extension AppEffect {
  /// What the app asks for, and on which link; nil: it asks the other end for nothing, or for nothing that is answered.
  var clientOperation: (FailingOperation, LinkID)? {
    switch self {
    case .exchangeMTU(let link, _): (.attMTU, link)
    case .discover(let link, _): (.discovery, link)
    case .subscribe(let link, _, true): (.subscription, link)
    case .read(let link, _): (.read, link)
    case .write(let link, _, _): (.write, link)
    case .gatt(let effect): effect.clientOperation
    default: nil
    }
  }

  /// How the app is told that it failed; nil for writes, which have an order, and for what is no such operation.
  /// - Parameter attMTU: of the link, which stays.
  func answer(error: UInt8, attMTU: Int) -> AppInput? {
    switch self {
    case .exchangeMTU(let link, _): .attMTU(link, attMTU)
    case .discover(let link, let service): .servicesDiscovered(link, service: service, characteristics: [])
    case .subscribe(let link, let type, true): .subscribed(link, characteristic: type, false)
    case .read(let link, let type): .valueRead(link, characteristic: type, octets: nil)
    case .gatt(let effect): effect.answer(error: error).map { .gatt($0) }
    default: nil
    }
  }
}

extension GATTEffect {
  fileprivate var clientOperation: (FailingOperation, LinkID)? {
    switch self {
    case .discoverServices(let link, _), .discoverIncluded(let link, _), .discoverCharacteristics(let link, _),
      .discoverDescriptors(let link, _):
      (.discovery, link)
    case .read(let link, _, _): (.read, link)
    case .write(let link, _, _, _), .prepare(let link, _, _, _, _): (.write, link)
    case .configure(let link, _, _, true): (.subscription, link)
    default: nil
    }
  }

  fileprivate func answer(error: UInt8) -> GATTInput? {
    switch self {
    case .discoverServices(let link, _): .services(link, [], error: error)
    case .discoverIncluded(let link, let service): .included(link, of: service, [], error: error)
    case .discoverCharacteristics(let link, let service): .characteristics(link, of: service, [], error: error)
    case .discoverDescriptors(let link, let characteristic): .descriptors(link, of: characteristic, [], error: error)
    case .prepare(let link, let handle, let type, let offset, _):
      .prepared(link, handle, type: type, offset: offset, octets: [], error: error)
    case .read(let link, let handle, let type): .valueRead(link, handle, type: type, octets: [], error: error)
    case .configure(let link, let handle, let type, let isOn):
      .configured(link, handle, type: type, isOn, error: error)
    default: nil
    }
  }
}
