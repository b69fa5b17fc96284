/// Places that say the version of the bench say the one that the program says.
enum VersionRules {
  /// Where the version is written; everything else follows it.
  static let place = "Sources/Commands/Babbench.swift"

  static func version(in text: String) -> String? {
    text.firstMatch(of: /static let version = "(.+)"/).map { String($0.1) }
  }

  /// Names of files and images, tags, and what Python packages say about themselves.
  static func findings(path: String, text: String, version: String) -> [Finding] {
    let mark = /babbench[-_:\/ ]([0-9]+\.[0-9]+\.[0-9]+)|--annotate v([0-9.]+)|^_*version_* = "([0-9.]+)"/
    var findings: [Finding] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      for match in line.matches(of: mark) {
        let said = String(match.1 ?? match.2 ?? match.3 ?? "")
        if said == version { continue }
        findings.append(
          Finding(path: path, line: index + 1, message: "this is version \(said); \(place) says \(version)"))
      }
    }
    return findings
  }

  /// The change log begins with the section of this version.
  static func newestSection(of changes: String) -> String? {
    changes.firstMatch(of: /\n## ([0-9]+\.[0-9]+\.[0-9]+) \(/).map { String($0.1) }
  }
}
