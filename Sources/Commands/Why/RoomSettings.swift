import Bench
import VirtualRadio

/// What is set in a room beside the values of its presets: a reason may be there that no record shows.
enum RoomSettings {
  /// Devices that are told, the first of them.
  private static let limit = 4

  /// One line for the radio and one for each device whose phone is another one than its preset; devices of a group
  /// that are set alike are one line.
  static func lines(of scenario: Scenario) -> [String] {
    var lines: [String] = []
    let usual = RadioEnvironment.preset(named: scenario.radioPreset) ?? .ideal
    let room = words(Keys.room.tree(of: scenario.radio, unlike: usual))
    if !room.isEmpty { lines.append("the radio, like \(scenario.radioPreset), but \(room)") }
    var phones: [(names: [String], words: String)] = []
    for device in scenario.devices {
      let usual = PhonePreset.named(device.phone.name) ?? .ideal
      let phone = words(Keys.phone.tree(of: device.phone, unlike: usual))
      if phone.isEmpty { continue }
      let text = "like \(device.phone.name), but \(phone)"
      if let place = phones.firstIndex(where: { $0.words == text }) {
        phones[place].names.append(device.name)
      } else {
        phones.append(([device.name], text))
      }
    }
    lines += phones.prefix(limit).map { "the phone of \($0.names.joined(separator: ", ")), \($0.words)" }
    return lines
  }

  private static func words(_ tree: YAMLTree) -> String {
    guard case .mapping(let entries) = tree.value else { return "" }
    return entries.filter { $0.key != "preset" }.map { "\($0.key) \(words($0.value.value))" }.joined(separator: ", ")
  }

  private static func words(_ value: YAMLTree.Value) -> String {
    switch value {
    case .scalar(let text, _): text
    case .sequence(let items): "[" + items.map { words($0.value) }.joined(separator: ", ") + "]"
    case .mapping(let entries):
      "{ " + entries.map { "\($0.key): \(words($0.value.value))" }.joined(separator: ", ") + " }"
    }
  }
}
