package import AppSeam
import BluetoothWire
import SimKernel

/// Arguments of calls and callbacks, as a trace shows them.
enum CallText {
  static func of(_ value: Data?) -> String { value.map { CallWord.text(of: $0) } ?? "nil" }
  static func of(_ types: [CBUUID]?) -> String {
    types.map { of($0.map(\.wire)) } ?? "nil"
  }
  static func of(_ types: [BluetoothUUID]) -> String { "[" + types.map { of($0) }.joined(separator: ", ") + "]" }
  /// Four digits, or the first eight of a long one.
  static func of(_ type: BluetoothUUID) -> String {
    type.short == nil ? type.description.prefix(8) + "…" : type.description
  }
  static func of(_ attribute: CBAttribute) -> String { of(attribute.uuid.wire) }
  static func of(_ peer: CBPeer) -> String { peer.address.description }
  /// An attribute with its value.
  static func of(_ attribute: CBAttribute, _ octets: [UInt8]) -> String {
    of(attribute) + " = " + CallWord.text(of: octets)
  }
  /// A service with its characteristics.
  static func of(whole service: CBService) -> String {
    of(service) + " " + of((service.characteristics ?? []).map(\.uuid))
  }
  /// A service or characteristic, and what was found in it.
  static func found(_ types: [BluetoothUUID], in attribute: CBAttribute) -> String {
    of(attribute) + " " + of(types)
  }
  static func of(_ channel: CBL2CAPChannel?) -> String { channel.map { "PSM \($0.psm)" } ?? "nil" }
  static func count<Element>(_ list: [Element], _ noun: String) -> String { CountedNoun.text(list.count, noun) }
  /// A text of somebody else's.
  static func quoted(_ text: String?) -> String { text.map { "“\($0)”" } ?? "nil" }

  /// What a scan is asked for.
  static func scan(_ types: [CBUUID]?, _ options: [String: Any]?) -> [String] {
    let isRepeating = CBOption.isOn(options?[CBCentralManagerScanOptionAllowDuplicatesKey])
    return [of(types), isRepeating ? "duplicates" : options == nil ? "nil" : "no duplicates"]
  }

  /// What is given to `startAdvertising`; other keys are remarked.
  static func of(advertisement data: [String: Any]?) -> String {
    guard let data else { return "nil" }
    let name = data[CBAdvertisementDataLocalNameKey] as? String
    let services = data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
    return "name \(quoted(name)), services \(of(services))"
  }

  /// What a scan has found: data and signal strength.
  static func of(_ advertisement: Advertisement) -> [String] {
    let name = quoted(advertisement.localName)
    return ["name \(name), services \(of(advertisement.serviceUUIDs))", "\(advertisement.rssi) dBm"]
  }

  static func of(_ request: CBATTRequest) -> String {
    let offset = request.offset == 0 ? "" : " from \(request.offset)"
    return of(request.characteristic) + offset + (request.value.map { " " + CallWord.text(of: $0) } ?? "")
  }

  /// The code of an error by its name, or its number where it has none.
  static func of(_ error: (any Error)?) -> String {
    switch error {
    case nil: "nil"
    case let error as CBATTError: "CBATTError.\(error.code.name)"
    case let error as CBError: "CBError.\(error.code.name)"
    case let error?: "\((error as NSError).domain) \((error as NSError).code)"
    }
  }
}

extension VirtualPhone {
  /// Puts a call or callback into the trace, in its place among the effects.
  package func note(_ word: @autoclosure () -> CallWord) {
    locked { if !isEnded { ask(.report(AppReport(word()))) } }
  }

  /// Puts a call with its result into the trace, before what it asks for.
  func note<Result>(_ word: (Result) -> CallWord, _ body: () -> Result) -> Result {
    locked {
      let place = effectCount
      let result = body()
      ask(.report(AppReport(word(result))), at: place)
      return result
    }
  }
}

extension String {
  /// The name of a method without its parameters.
  var methodName: Substring { prefix { $0 != "(" } }
}
