import Foundation

enum Places {
  private static let bench = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  private static let project = bench.deletingLastPathComponent().deletingLastPathComponent()

  static let parsers = bench.appending(path: "Parsers")
  static let coverage = bench.appending(path: "Coverage")
  static let scenario = bench.appending(path: "three-peers.yaml")
  static let page = project.appending(path: "Docs/bug-bench.md")
  /// For what is compiled here.
  static let built = project.appending(path: ".build/bugbench")
}
