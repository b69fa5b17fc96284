import ArgumentParser
import Conformance
import Foundation

/// What a shell offers where an argument is a name of something that is shipped.
extension CompletionKind {
  /// Scenario files, and names of shipped scenarios.
  static let scenarios = names {
    shippedScenarios
  } files: {
    isDescription($0)
  }
  /// Description files, and names of built-in engines.
  static let implementations = names {
    engineNames
  } files: {
    isDescription($0)
  }
  /// Test purposes and groups of them.
  static let cases = names { groupNames + protocols.purposes.map(\.id) }
  static let mutants = names { protocols.mutants.map(\.name) }
  static let engines = names { engineNames }
  /// Everything that `babbench explain` knows.
  static let explained = names { protocols.purposes.map(\.id) + Explained.all.flatMap(\.names) }
  /// Runs: scenarios, recorded sessions, captures, and folders of `--out`.
  static let runs = names {
    shippedScenarios
  } files: { name in
    isDescription(name) || [".jsonl", ".pcap", ".pcapng", ".btsnoop", ".pklg"].contains { name.hasSuffix($0) }
  }

  private static var engineNames: [String] { [AppProtocol.reference] + protocols.engineNames }
  private static var groupNames: [String] { Explained.groups }

  /// Whole paths of shipped scenarios, and the last part of each.
  private static var shippedScenarios: [String] {
    ScenarioLibrary.shipped.entries.flatMap { entry in
      [entry.name, entry.name.split(separator: "/").last.map(String.init) ?? ""].reduce(into: []) {
        if !$0.contains($1) { $0.append($1) }
      }
    }
  }

  private static func isDescription(_ path: String) -> Bool {
    ScenarioLibrary.endings.contains { path.hasSuffix("." + $0) }
  }

  /// Names, and files that may be written instead; nil: none may.
  private static func names(
    _ all: @escaping @Sendable () -> [String], files isOffered: (@Sendable (_ path: String) -> Bool)? = nil
  ) -> CompletionKind {
    .custom { _, _, prefix in
      all().filter { $0.hasPrefix(prefix) } + (isOffered.map { files(prefix, $0) } ?? [])
    }
  }

  /// Folders, and files of a kind, whose path begins with what is written.
  private static func files(_ prefix: String, _ isOffered: (_ path: String) -> Bool) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.sorted().compactMap { name in
      let path = folder + name
      guard path.hasPrefix(prefix), prefix.hasSuffix(".") || !name.hasPrefix(".") else { return nil }
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
      if isFolder.boolValue { return path + "/" }
      return isOffered(path) ? path : nil
    }
  }
}
