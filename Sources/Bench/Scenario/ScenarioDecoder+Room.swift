import BluetoothWire
import SimKernel
import VirtualRadio

extension ScenarioDecoder {
  /// A preset by name, or a mapping that changes one.
  /// - Parameter named: the preset that a tree names; nil: there is none, and that was said.
  func preset<Model>(
    _ tree: YAMLTree, _ mapping: KeyedMapping<Model>, _ usual: Model, named: (YAMLTree) -> Model?
  ) -> Model? {
    if case .scalar = tree.value, !tree.isEmpty { return named(tree) }
    guard let fields = fields(tree, mapping.table), let base = fields["preset"].map(named) ?? usual else { return nil }
    return mapping.read(fields, self, from: base)
  }

  func room(_ tree: YAMLTree, into scenario: inout Scenario) {
    var name = scenario.radioPreset
    let usual = scenario.radio
    let room = preset(tree, Keys.room, usual) { tree in
      if case .scalar(let text, _) = tree.value, Self.isReference(text) {
        guard let room = profileRoom(text, tree) else { return usual }
        name = shown(text)
        return room
      }
      guard let word = choice(tree, "radio preset", from: Keys.roomNames),
        let room = RadioEnvironment.preset(named: word)
      else { return usual }
      name = word
      return room
    }
    scenario.radioPreset = name
    if let room { scenario.radio = room }
  }

  /// The RF channels in the order of the channel index.
  static let rfChannels = (0..<40).map { Int(LL.rfChannel(dataChannelIndex: UInt8($0))) }

  func channelLosses(_ tree: YAMLTree) -> [Ratio]? {
    guard case .mapping(let entries) = tree.value else {
      return refuse(
        tree.location, "“channel loss” must be a mapping, not \(tree.kindName); write “{ 0..10: 30%, 37: 5% }”")
    }
    var losses = [Ratio?](repeating: nil, count: 40)
    for entry in entries {
      let key = YAMLTree(location: entry.keyLocation, value: .scalar(entry.key, isPlain: true))
      guard let channels = integerRange(key, "a channel of “channel loss”", 0...39),
        let loss = probability(entry.value, "“channel loss”")
      else { continue }
      for channel in channels {
        let place = Self.rfChannels[channel]
        if losses[place] != nil {
          note(entry.keyLocation, "channel \(channel) has a loss already; write each channel once")
          break
        }
        losses[place] = loss
      }
    }
    return entries.isEmpty ? [] : losses.map { $0 ?? .never }
  }

  /// The value of a key that must be there.
  public func required(_ key: String, _ fields: Fields, _ table: KeyTable) -> YAMLTree? {
    if let tree = fields[key] { return tree }
    return refuse(fields.location, "\(table.title) needs “\(key)”; write “\(key): …”")
  }
}
