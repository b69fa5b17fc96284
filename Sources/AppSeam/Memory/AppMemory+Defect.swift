import BluetoothWire

extension AppMemory {
  /// What keeps it from being the memory of a phone, with its place; nil: nothing does.
  ///
  /// Not checked: whether links, attributes and identifiers are those that the platform knows; what it does not know is
  /// ignored there.
  public var defect: String? {
    // One expression of all takes seconds to type-check.
    if version != Self.version { return "version: \(version), where \(Self.version) is needed" }
    if let defect = peers.defect("peers", { Self.defect($0.address, "address") }) { return defect }
    if let defect = centrals.defect("centrals", \.defect) { return defect }
    if let defect = servers.defect("servers", \.defect) { return defect }
    if let defect = links.defect("links", \.defect) { return defect }
    if let defect = attempts.defect("attempts", { Self.defect($0, "") }) { return defect }
    if scans.count > 1 { return "scans: more than one" }
    if advertisements.count > 1 { return "advertisements: more than one" }
    return nextNumber < 0 || nextNumber > Self.numberLimit ? "nextNumber: \(nextNumber) is none" : nil
  }

  fileprivate static func defect(_ address: String, _ place: String) -> String? {
    if BluetoothAddress.bits(of: address) != nil { return nil }
    let shown = String(address.prefix(40))
    return (place.isEmpty ? "" : place + ": ") + "\"\(shown)\" is no address"
  }
}

extension AppMemory.Central {
  fileprivate var defect: String? {
    peers.defect("peers") { AppMemory.defect($0, "") }
      ?? found.defect("found") { AppMemory.defect($0.address, "address") ?? $0.services.defect("services", \.defect) }
  }
}

extension AppMemory.KeptService {
  fileprivate var defect: String? {
    characteristics.defect("characteristics") { $0.descriptors.defect("descriptors") { _ in nil } }
  }
}

extension AppMemory.Server {
  fileprivate var defect: String? {
    services.defect("services") { service in
      service.characteristics.defect("characteristics") { $0.descriptors.defect("descriptors") { _ in nil } }
    } ?? published.defect("published") { _ in nil }
  }
}

extension AppMemory.Link {
  fileprivate var defect: String? {
    AppMemory.defect(address, "address") ?? (attMTU < 23 || attMTU > 65_535 ? "attMTU: \(attMTU) is none" : nil)
  }
}

extension Array {
  fileprivate func defect(_ name: String, _ defect: (Element) -> String?) -> String? {
    if count > AppMemory.entryLimit { return "\(name): more than \(AppMemory.entryLimit) entries" }
    for (index, element) in enumerated() {
      guard let found = defect(element) else { continue }
      // A defect of the entry itself has no place of its own.
      return "\(name)[\(index)]" + (found.hasPrefix("\"") ? ": " : ".") + found
    }
    return nil
  }
}
