import AppSeam

/// Reading inputs, in the notation of Docs/Formats/app-seam.md.
extension LineMembers {
  /// What the platform tells.
  func input() throws(ProgramEnd) -> AppInput {
    let name = try text("name")
    if let input = try platformInput(name) { return input }
    if let word = try typedWord(name, among: GATTInput.self) { return .gatt(word) }
    if let word = try typedWord(name, among: GAPInput.self) { return .gap(word) }
    if let word = try typedWord(name, among: ChannelInput.self) { return .channel(word) }
    throw .notInProtocol("name: \"\(name)\" is no input of a phone")
  }
}
