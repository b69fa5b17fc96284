import Bench
import Conformance
import Foundation
import Judging
import ProtocolFiles

/// The protocol files that a command line names, before anything else is parsed: by an argument, or in a scenario or a
/// description that an argument names (`protocol: ./chat.yaml`).
enum LearnedProtocols {
  /// Scenarios name more files than a room has devices only by mistake.
  private static let limit = 16

  /// - Parameter known: the protocols that the executable has.
  /// - Throws: what is wrong with a protocol file, a line for each slip.
  static func named(in arguments: [String], besides known: [AppProtocol]) throws -> [ProtocolFile] {
    var found: [(path: String, spellings: [String])] = []
    for word in arguments.flatMap(files) {
      guard let tree = tree(word) else { continue }
      if ProtocolFile.isOne(tree) { note(word, spelled: word, &found) }
      let folder = URL(fileURLWithPath: word).deletingLastPathComponent()
      for name in names(in: tree) {
        note(URL(fileURLWithPath: name, relativeTo: folder).path, spelled: name, &found)
      }
    }
    var learned: [ProtocolFile] = []
    for file in found.prefix(limit) {
      let made = try ProtocolFile(file.path, spellings: file.spellings)
      if let other = (known + learned.map(\.app)).first(where: { $0.name == made.app.name }) {
        throw UsageProblem(
          "\(file.path): the bench knows a protocol “\(other.name)”; write another name after “protocol:”")
      }
      learned.append(made)
    }
    return learned
  }

  private static func note(_ path: String, spelled: String, _ found: inout [(path: String, spellings: [String])]) {
    let whole = URL(fileURLWithPath: path).standardizedFileURL.path
    if let place = found.firstIndex(where: { URL(fileURLWithPath: $0.path).standardizedFileURL.path == whole }) {
      if !found[place].spellings.contains(spelled) { found[place].spellings.append(spelled) }
    } else {
      found.append((path, [spelled]))
    }
  }

  /// The files that an argument names: itself, the value of an option, or what a folder of results was made of.
  private static func files(_ argument: String) -> [String] {
    let word = argument.hasPrefix("--") ? argument.split(separator: "=").last.map(String.init) ?? argument : argument
    if word.isYAML { return [word] }
    guard let octets = FileManager.default.contents(atPath: word + "/result.json"),
      let result = try? JSONSerialization.jsonObject(with: octets) as? [String: Any],
      let line = result["repeat"] as? String
    else { return [] }
    return line.split(separator: " ").map(String.init).filter(\.isYAML)
  }

  /// A YAML file that can be read; its real reader says what is wrong with any other.
  private static func tree(_ path: String) -> YAMLTree? {
    guard case .success(let octets) = ScenarioFile.octets(of: path, kind: .scenario),
      case .success(let tree) = ScenarioReader.tree(octets: octets, file: path, kind: .scenario)
    else { return nil }
    return tree
  }

  /// The paths after `protocol:` anywhere in a file.
  private static func names(in tree: YAMLTree) -> [String] {
    switch tree.value {
    case .scalar: []
    case .sequence(let items): items.flatMap(names)
    case .mapping(let entries):
      entries.flatMap { entry -> [String] in
        if entry.key == "protocol", case .scalar(let text, _) = entry.value.value { return text.isYAML ? [text] : [] }
        return names(in: entry.value)
      }
    }
  }
}

extension String {
  fileprivate var isYAML: Bool { hasSuffix(".yaml") || hasSuffix(".yml") }
}
