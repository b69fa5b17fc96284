package import AppSeam

/// Tells whose answers the platform gives where several send on one link: an engine, a layer around it, and values of
/// the engine that the layer has kept back.
///
/// A platform answers the values of a link in their order; the answer to a value that was kept back is made up, in its
/// place among the others.
package struct AnswerLedger {
  private enum Entry {
    case engine
    case layer
    case keptBack(AppInput)

    var isKeptBack: Bool { if case .keptBack = self { true } else { false } }
  }

  private struct Line {
    var link: LinkID
    var entries: [Entry] = []
  }

  private var lines: [Line] = []

  package init() {}

  /// Notes a value that goes out; other effects are ignored.
  ///
  /// - Parameter isLayers: the layer sends it, and not the engine.
  package mutating func note(_ effect: AppEffect, isLayers: Bool = false) {
    guard let link = effect.transmission?.link else { return }
    append(isLayers ? .layer : .engine, link)
  }

  /// What a layer sends of its own, noted. Its reports are left out: they would be claims of the engine.
  package mutating func noting(_ send: (inout [AppEffect]) -> Void) -> [AppEffect] {
    var own: [AppEffect] = []
    send(&own)
    own.removeAll { if case .report = $0 { true } else { false } }
    for effect in own { note(effect, isLayers: true) }
    return own
  }

  /// Notes a value of the engine that does not go out; it is answered as if it had.
  package mutating func noteKeptBack(_ effect: AppEffect) {
    guard let transmission = effect.transmission else { return }
    append(.keptBack(transmission.accepted), transmission.link)
  }

  /// Books an answer of the platform; true when it is for the layer.
  package mutating func isForLayer(_ input: AppInput) -> Bool {
    switch input {
    case .submitted(let link, _, _), .writeCompleted(let link, _, _):
      guard let place = lines.firstIndex(where: { $0.link == link }),
        let answered = lines[place].entries.firstIndex(where: { !$0.isKeptBack })
      else { return false }
      let entry = lines[place].entries.remove(at: answered)
      if case .layer = entry { return true }
      return false
    case .disconnected(let link, _):
      lines.removeAll { $0.link == link }
      return false
    default: return false
    }
  }

  /// The next answer to a value that was kept back, once those before it are answered.
  package mutating func nextKeptBack() -> AppInput? {
    for place in lines.indices {
      guard case .keptBack(let answer)? = lines[place].entries.first else { continue }
      lines[place].entries.removeFirst()
      return answer
    }
    return nil
  }

  private mutating func append(_ entry: Entry, _ link: LinkID) {
    if let place = lines.firstIndex(where: { $0.link == link }) {
      lines[place].entries.append(entry)
    } else {
      lines.append(Line(link: link, entries: [entry]))
    }
  }
}

extension AppEffect {
  /// The link of a value that an app sends, its octets, and the answer of a platform that takes it.
  package var transmission: (link: LinkID, octets: [UInt8], accepted: AppInput)? {
    switch self {
    case .notify(let link, let characteristic, let octets),
      .writeWithoutResponse(let link, let characteristic, let octets):
      (link, octets, .submitted(link, characteristic: characteristic, accepted: true))
    case .write(let link, let characteristic, let octets):
      (link, octets, .writeCompleted(link, characteristic: characteristic, error: nil))
    default: nil
    }
  }
}
