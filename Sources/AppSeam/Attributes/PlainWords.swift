import BluetoothWire

/// What the words about single attributes and whole advertisements come to in those that every app has: judges,
/// measures and stories know these alone.
extension AppEffect {
  /// The same in words by type; itself where there are none.
  public var plain: AppEffect {
    switch self {
    case .gap(.scan(let request)), .gap(.scanExtended(let request, _)): return .scan(services: request.services)
    default: break
    }
    guard case .gatt(let effect) = self else { return self }
    switch effect {
    // What it switches is told by other words; it is no value of the app's.
    case .write(_, _, type: .clientCharacteristicConfiguration, _): return self
    case .publish(let service):
      return .publish(
        ServiceDefinition(
          uuid: service.uuid,
          characteristics: service.characteristics.map {
            ServiceDefinition.Characteristic(uuid: $0.uuid, properties: .init(rawValue: $0.properties))
          }))
    case .notify(let link, _, let type, let octets): return .notify(link, characteristic: type, octets: octets)
    case .read(let link, _, let type): return .read(link, characteristic: type)
    case .write(let link, _, let type, let octets): return .write(link, characteristic: type, octets: octets)
    case .writeWithoutResponse(let link, _, let type, let octets):
      return .writeWithoutResponse(link, characteristic: type, octets: octets)
    case .configure(let link, _, let type, let isOn): return .subscribe(link, characteristic: type, isOn)
    case .discoverCharacteristics(let link, let service): return .discover(link, service: service.uuid)
    case .unpublish, .answer, .discoverServices, .discoverIncluded, .discoverDescriptors, .readRSSI, .prepare, .execute:
      return self
    }
  }
}

extension AppInput {
  /// The same in words by type; itself where there are none.
  public var plain: AppInput {
    switch self {
    case .gap(.heard(let heard)), .gap(.heardExtended(let heard, _, _, _)): return .discovered(heard.advertisement)
    default: break
    }
    guard case .gatt(let input) = self else { return self }
    switch input {
    case .writesAsked(_, _, type: .clientCharacteristicConfiguration, _, _),
      .valueWritten(_, _, type: .clientCharacteristicConfiguration, _):
      return self
    case .subscription(let link, _, let type, let isOn): return .subscribed(link, characteristic: type, isOn)
    case .writesAsked(_, let link, let type, let parts, _),
      .executeAsked(_, let link, let type, let parts, isMeant: true):
      guard let whole = WritePart.whole(parts) else { return self }
      return .valueReceived(link, characteristic: type, octets: whole)
    case .notifySubmitted(let link, _, let type, let isAccepted), .submitted(let link, _, let type, let isAccepted):
      return .submitted(link, characteristic: type, accepted: isAccepted)
    case .characteristics(let link, let service, let found, _):
      return .servicesDiscovered(
        link, service: service.uuid,
        characteristics: found.map {
          ServiceDefinition.Characteristic(uuid: $0.uuid, properties: .init(rawValue: $0.properties))
        })
    case .valueRead(let link, _, let type, let octets, let error):
      return .valueRead(link, characteristic: type, octets: error == nil ? octets : nil)
    case .valueWritten(let link, _, let type, let error):
      return .writeCompleted(link, characteristic: type, error: error)
    case .configured(let link, _, let type, let isOn, let error):
      return .subscribed(link, characteristic: type, isOn && error == nil)
    case .notified(let link, _, let type, let octets):
      return .valueReceived(link, characteristic: type, octets: octets)
    case .published, .readAsked, .confirmed, .services, .included, .descriptors, .servicesChanged, .rssi, .partAsked,
      .executeAsked, .prepared, .executed:
      return self
    }
  }
}

extension WritePart {
  /// The value that parts make which begin at the first octet and leave nothing out; nil: they are of several
  /// attributes, or overlap.
  static func whole(_ parts: [WritePart]) -> [UInt8]? {
    var octets: [UInt8] = []
    for part in parts {
      guard part.attribute == parts[0].attribute, part.offset == octets.count else { return nil }
      octets += part.octets
    }
    return octets
  }
}
