import ArgumentParser
import Conformance
import Foundation

/// What a shell offers where an argument is a name of something that is shipped.
extension CompletionKind {
  /// Scenario files, and names of shipped scenarios.
  static let scenarios = names(orFiles: true) {
    ScenarioLibrary.shipped.entries.flatMap { entry in
      [entry.name, entry.name.split(separator: "/").last.map(String.init) ?? ""].reduce(into: []) {
        if !$0.contains($1) { $0.append($1) }
      }
    }
  }
  /// Description files, and names of built-in engines.
  static let implementations = names(orFiles: true) { engineNames }
  /// Test purposes and groups of them.
  static let cases = names { groupNames + protocols.purposes.map(\.id) }
  static let mutants = names { protocols.mutants.map(\.name) }
  static let engines = names { engineNames }
  /// Everything that `babbench explain` knows.
  static let explained = names { Explained.all.flatMap(\.names) }

  private static var engineNames: [String] { [AppProtocol.reference] + protocols.engineNames }
  private static var groupNames: [String] { Explained.groups }

  private static func names(
    orFiles: Bool = false, _ all: @escaping @Sendable () -> [String]
  ) -> CompletionKind {
    .custom { _, _, prefix in
      all().filter { $0.hasPrefix(prefix) } + (orFiles ? files(prefix) : [])
    }
  }

  /// Folders and YAML files whose path begins with what is written.
  private static func files(_ prefix: String) -> [String] {
    let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    return names.sorted().compactMap { name in
      let path = folder + name
      guard path.hasPrefix(prefix), prefix.hasSuffix(".") || !name.hasPrefix(".") else { return nil }
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
      if isFolder.boolValue { return path + "/" }
      return ScenarioLibrary.endings.contains { path.hasSuffix("." + $0) } ? path : nil
    }
  }
}
