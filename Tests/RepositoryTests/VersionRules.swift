import Foundation

/// Places that say the version of the bench say the one that the program says.
enum VersionRules {
  /// Where the version is written; everything else follows it.
  static let place = "Sources/Campaigns/BenchVersion.swift"

  /// What comes before a version: in names of files and images, in tags, and in what Python packages say of themselves.
  private static let marks =
    ["-", "_", ":", "/", " "].map { "babbench" + $0 } + ["--annotate v", "\nversion = \"", "\n__version__ = \""]

  /// Whether a file speaks of releases: pages, scripts and packages, not their tests, and no history.
  static func isJudged(_ path: String) -> Bool {
    let endings = [".md", ".toml", ".yml", ".yaml", "__init__.py", "run-lobby", "release"]
    return endings.contains { path.hasSuffix($0) } && path != "CHANGELOG.md" || path.hasPrefix("Packaging/")
  }

  static func version(in text: String) -> String? { after("static let current = \"", in: text).first?.version }

  static func findings(path: String, text: String, version: String) -> [Finding] {
    marks.flatMap { after($0, in: text) }.filter { $0.version != version }.map {
      Finding(path: path, line: $0.line, message: "this is version \($0.version); \(place) says \(version)")
    }
  }

  /// The change log begins with the section of this version.
  static func newestSection(of changes: String) -> String? { after("\n## ", in: changes).first?.version }

  /// The versions that follow a mark at once, three numbers each.
  private static func after(_ mark: String, in text: String) -> [(version: String, line: Int)] {
    let parts = text.components(separatedBy: mark)
    var found: [(version: String, line: Int)] = []
    for index in parts.indices.dropFirst() {
      let version = parts[index].prefix { $0.isNumber || $0 == "." }
      guard version.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty }),
        version.count(where: { $0 == "." }) == 2
      else { continue }
      let before = parts[..<index].joined(separator: mark) + mark
      found.append((String(version), before.count(where: \.isNewline) + 1))
    }
    return found
  }
}
