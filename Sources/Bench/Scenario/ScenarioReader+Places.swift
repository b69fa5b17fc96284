import AppSeam
import VirtualRadio

/// Devices that come to a room while it lives.
extension ScenarioReader {
  /// Reads one device as under `devices`: `{ phone: iphone, at: [3, 0] }`; an empty text is one with defaults.
  /// - Parameters:
  ///   - scenario: where it comes to; its app is that of the scenario unless the text names another.
  ///   - isBare: none of our apps is on it.
  package static func device(
    _ text: String, name: String, of scenario: Scenario, isBare: Bool, language: ScenarioLanguage
  ) -> Result<Device, ScenarioProblems> {
    let decoder = ScenarioDecoder(file: name, language: language)
    decoder.devices = scenario.devices
    do {
      let words = text.allSatisfy(\.isWhitespace) ? "{}" : text
      if let device = decoder.device(coming: try YAMLTree.parse(words), name, to: scenario, isBare: isBare),
        decoder.problems.isEmpty
      {
        return .success(device)
      }
    } catch {
      decoder.note(error.location, error.message)
    }
    return .failure(decoder.sortedProblems)
  }
}

extension ScenarioDecoder {
  fileprivate func device(coming tree: YAMLTree, _ name: String, to scenario: Scenario, isBare: Bool) -> Device? {
    guard isName(YAMLTree.Entry(key: name, keyLocation: tree.location, value: tree)) else { return nil }
    guard !scenario.devices.contains(where: { $0.name == name }), !Scenario.isPlace(name) else {
      return refuse(tree.location, "there is a device “\(name)” already; give this one another name")
    }
    guard let fields = fields(tree, tables.device) else { return nil }
    for key in ["count", "from", "to", "around", "radius", "starts", "directed to", "app", "interfaces"]
    where fields[key] != nil {
      note(fields.keyLocation(key), "a device that comes later has no “\(key)”; write a place as “at: [3, 0]”")
    }
    let app = isBare ? nil : scenario.apps.first?.app
    var device = device(
      fields, name: name, group: name, app, dialect: app == nil ? .init(rawValue: "") : scenario.dialect)
    if isBare, device.app != nil {
      note(fields.keyLocation("protocol"), "the host of “\(name)” is external; leave “protocol” out")
    }
    if device.leads, scenario.devices.contains(where: { $0.leads && $0.app == device.app && $0.lobby == device.lobby })
    {
      note(tree.location, "somebody leads that lobby already; write another “role” or “lobby”")
    }
    if let tree = fields["address"] { device.address = address(tree) }
    place(&device, fields, index: 0, count: 1)
    if !isBare { device.isBare = device.app == nil }
    return device
  }
}

extension Scenario {
  /// The most places that a session can keep.
  public static let maximumPlaces = 256
  private static let placePrefix = "place-"

  /// What a place is called before a device has it.
  static func isPlace(_ name: String) -> Bool {
    name.hasPrefix(placePrefix) && Int(name.dropFirst(placePrefix.count)) != nil
  }

  /// The names of places for devices that come later.
  public static func placeNames(_ count: Int) -> [String] { (0..<count).map { placePrefix + String($0 + 1) } }

  /// Keeps places for devices that come while the room lives. They are the last devices, and not there until then.
  public mutating func keepPlaces(_ count: Int) {
    for name in Self.placeNames(count) {
      var place = Device(name: name, group: name, role: .init(rawValue: ""), phone: .ideal)
      place.isBare = true
      place.takesPart = false
      devices.append(place)
    }
  }
}
