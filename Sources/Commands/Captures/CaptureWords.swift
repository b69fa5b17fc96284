import ArgumentParser
import Bench
import CaptureCheck
import Conformance
import SimKernel

/// `--clock FILE=+0.123s` of the commands that read several captures.
enum ClockWords {
  static let help = ArgumentHelp(
    "Add this to the times of a capture instead of an estimate; may be repeated.", valueName: "capture=seconds")

  /// One per capture, nil where nothing is given.
  static func clocks(_ words: [String], _ captures: [String]) throws -> [SimDuration?] {
    var clocks: [SimDuration?] = captures.map { _ in nil }
    for word in words {
      guard let sign = word.lastIndex(of: "="),
        let offset = InspectFilter.duration(String(word[word.index(after: sign)...]))
      else { throw UsageProblem("--clock takes capture=seconds such as client.log=+0.123s, not '\(word)'") }
      let path = String(word[..<sign])
      let names = CheckText.shortNames(captures)
      guard let index = captures.firstIndex(of: path) ?? names.firstIndex(of: path) else {
        let near = Suggestion.question(for: path, in: names, within: 2).map { "; " + $0 } ?? ""
        throw UsageProblem("--clock: “\(path)” is none of the captures\(near)")
      }
      clocks[index] = offset
    }
    return clocks
  }
}

/// `--key ltk=…` of the commands that read captures.
enum KeyWords {
  static let help = ArgumentHelp(
    """
    Read what is encrypted on the air: ltk=, irk= or tk= with 32 hexadecimal digits, or passkey= with up to six \
    digits; may be repeated. Octets may be in either order: most significant first as the specification prints a key, \
    or least significant first as PDUs, HCI and btmon have it; the MIC (of an irk, the address) tells which.
    """, valueName: "kind=value")

  static func keys(_ words: [String]) throws -> [CaptureKey] {
    try words.map { word in
      guard let key = CaptureKey(spelling: word) else {
        throw UsageProblem("--key takes \(CaptureKey.forms); “\(withoutValue(word))” is none of them")
      }
      return key
    }
  }

  /// `ltk=…`: reports are read by people who need not have the key.
  static func withoutValue(_ word: String) -> String {
    word.contains("=") ? word.prefix { $0 != "=" } + "=…" : "…"
  }
}

/// `--protocol NAME` and `--dialect NAME`.
enum TrafficProtocolNames {
  static func named(_ name: String) throws -> SpokenProtocol {
    if let found = protocols.first(where: { $0.isCalled(name) })?.traffic { return found }
    let names = protocols.traffic.map { $0.name }
    throw UsageProblem("--protocol: “\(name)” is not known; " + Suggestion.advice(for: name, in: names))
  }

  /// Nil for `auto`.
  static func dialect(_ name: String, of type: SpokenProtocol?) throws -> String? {
    if name == "auto" { return nil }
    guard let type else { throw UsageProblem("--dialect needs --protocol") }
    if type.dialects.contains(name) { return name }
    throw UsageProblem(
      "--dialect: \(type.name) has no “\(name)”; " + Suggestion.advice(for: name, in: ["auto"] + type.dialects))
  }
}
