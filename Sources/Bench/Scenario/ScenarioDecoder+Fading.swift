import BluetoothWire
import SimKernel
import VirtualRadio

/// What a room does to single channels and single blocks of time.
extension ScenarioDecoder {
  func channelLoss(_ tree: YAMLTree, into room: inout RadioEnvironment) {
    guard case .mapping(let entries) = tree.value else {
      note(tree.location, "“channel loss” must be a mapping, not \(tree.kindName); write “{ 0..10: 30%, 37: 5% }”")
      return
    }
    var losses = [Ratio?](repeating: nil, count: 40)
    for entry in entries {
      let key = YAMLTree(location: entry.keyLocation, value: .scalar(entry.key, isPlain: true))
      guard let channels = integerRange(key, "a channel of “channel loss”", 0...39),
        let loss = probability(entry.value, "“channel loss”")
      else { continue }
      for channel in channels {
        let place = Int(LL.rfChannel(dataChannelIndex: UInt8(channel)))
        if losses[place] != nil {
          note(entry.keyLocation, "channel \(channel) has a loss already; write each channel once")
          break
        }
        losses[place] = loss
      }
    }
    room.channelLoss = entries.isEmpty ? [] : losses.map { $0 ?? .never }
  }

  func fading(_ tree: YAMLTree, into room: inout RadioEnvironment) {
    if case .scalar("none", _) = tree.value {
      room.fading = nil
      return
    }
    guard let fields = fields(tree, .fading) else { return }
    let word = required("kind", fields, .fading).flatMap { choice($0, "kind of fading", from: KeyTable.fadingKinds) }
    let coherence = required("coherence time", fields, .fading).flatMap {
      duration($0, "“coherence time”", least: .microseconds(1))
    }
    let factor = own("k factor", of: "rician", word, fields).flatMap {
      quantity($0, "“k factor”", .factor, 0...10_000, "0 to 100")
    }
    let deviation = own("deviation", of: "log-normal", word, fields).flatMap {
      quantity($0, "“deviation”", .ratio, 0...2_000, "0 dB to 20 dB")
    }
    guard let word, let coherence else { return }
    let kind: RadioEnvironment.Fading.Kind? =
      switch word {
      case "rician": factor.map { .rician(factor: Int($0)) }
      case "log-normal": deviation.map { .logNormal(deviation: Int($0)) }
      default: .rayleigh
      }
    room.fading = kind.map { RadioEnvironment.Fading(kind: $0, coherence: coherence) }
  }

  /// A key that one kind of fading needs, and the others do not have.
  private func own(_ key: String, of kind: String, _ word: String?, _ fields: Fields) -> YAMLTree? {
    if word == kind { return required(key, fields, .fading) }
    if word != nil, fields[key] != nil {
      note(fields.keyLocation(key), "“\(key)” is of \(kind) fading; leave it out, or write “kind: \(kind)”")
    }
    return nil
  }
}
