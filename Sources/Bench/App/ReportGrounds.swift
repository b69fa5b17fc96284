/// Words of apps one of which somebody must say before it means anything that something is not shown.
///
/// An engine of the bench says all of them. A program says what it likes, and one that it has not said in a run so far
/// is none that it says.
public struct ReportGrounds: Hashable, Sendable {
  public struct Sayer: Hashable, Sendable {
    /// Dense index.
    public var device: Int
    /// The name of a report.
    public var word: String

    public init(device: Int, word: String) {
      self.device = device
      self.word = word
    }
  }

  /// Any of them is enough.
  public var sayers: [Sayer]

  public init(_ sayers: [Sayer]) { self.sayers = sayers }

  /// One device must say one of these words.
  public init(_ device: Int, _ words: String...) { sayers = words.map { Sayer(device: device, word: $0) } }

  /// What is missing, for people: “host does not report phase”.
  public func text(_ name: (Int) -> String) -> String {
    var parts: [(device: Int, words: [String])] = []
    for sayer in sayers {
      if let place = parts.firstIndex(where: { $0.device == sayer.device }) {
        parts[place].words.append(sayer.word)
      } else {
        parts.append((sayer.device, [sayer.word]))
      }
    }
    // Devices that leave out the same words are told together.
    var groups: [(words: [String], devices: [Int])] = []
    for part in parts {
      if let place = groups.firstIndex(where: { $0.words == part.words }) {
        groups[place].devices.append(part.device)
      } else {
        groups.append((part.words, [part.device]))
      }
    }
    return groups.map { group in
      let names = group.devices.map(name)
      let who = names.count > 2 ? "\(names[0]) and \(names.count - 1) others" : names.joined(separator: " and ")
      return "\(who) \(names.count > 1 ? "do" : "does") not report \(group.words.joined(separator: " or "))"
    }
    .joined(separator: " and ")
  }

  /// Several of them, each thing said once and in their order: “host does not report phase, turn”.
  public static func text(_ grounds: [ReportGrounds], _ name: (Int) -> String) -> String {
    var parts: [(device: Int?, text: String)] = []
    for (place, ground) in grounds.enumerated() where !grounds[..<place].contains(ground) {
      let text = ground.text(name)
      guard ground.sayers.count == 1, let sayer = ground.sayers.first else {
        parts.append((nil, text))
        continue
      }
      if let place = parts.firstIndex(where: { $0.device == sayer.device }) {
        parts[place].text += ", \(sayer.word)"
      } else {
        parts.append((sayer.device, text))
      }
    }
    let rest = parts.count - 3
    return parts.prefix(3).map(\.text).joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
  }
}
