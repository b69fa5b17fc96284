import Foundation

/// The runs below a folder: folders that have a page, a result, a trace or a capture.
struct RunIndex {
  struct Run: Sendable {
    /// From the served folder on; empty: the folder itself.
    var path: [String]
    var title: String
    /// Nil while it goes on, or when it broke off.
    var verdict: String?
    /// Nanoseconds since 1970.
    var changed: Int64
    var files: [ServedFolder.Entry]

    var hasTimeline: Bool { files.contains { $0.name == "timeline.html" } }
  }

  /// How deep runs are looked for, and how much of a folder.
  private static let depth = 4
  private static let folders = 2_000
  private static let entries = 2_000
  private static let resultOctets = 64 << 20
  private static let endings = [".html", ".pcapng", ".pcap", ".btsnoop", ".jsonl", ".json", ".xml", ".yaml"]

  private let folder: ServedFolder
  private var visited = 0
  private(set) var runs: [Run] = []
  /// Whether there are more folders than are looked at.
  private(set) var isCut = false

  /// Reads the folder as it is now; the newest run first.
  init(_ folder: ServedFolder) {
    self.folder = folder
    look([])
    runs.sort { ($1.changed, $0.path.joined(separator: "/")) < ($0.changed, $1.path.joined(separator: "/")) }
  }

  private mutating func look(_ path: [String]) {
    visited += 1
    guard visited <= Self.folders else {
      isCut = true
      return
    }
    guard let entries = folder.entries(path, limit: Self.entries) else { return }
    if entries.count == Self.entries { isCut = true }
    let files = entries.filter { entry in !entry.isFolder && Self.endings.contains { entry.name.hasSuffix($0) } }
    if !files.isEmpty { runs.append(run(path, files)) }
    for entry in entries where entry.isFolder && path.count < Self.depth { look(path + [entry.name]) }
  }

  private func run(_ path: [String], _ files: [ServedFolder.Entry]) -> Run {
    var run = Run(
      path: path, title: path.joined(separator: "/"), verdict: nil, changed: files.map(\.changed).max() ?? 0,
      files: files)
    guard let octets = folder.octets(path + ["result.json"], limit: Self.resultOctets),
      let result = try? JSONSerialization.jsonObject(with: Data(octets)) as? [String: Any]
    else { return run }
    run.verdict = result["verdict"] as? String
    if let scenario = result["scenario"] as? String { run.title = scenario }
    return run
  }
}
