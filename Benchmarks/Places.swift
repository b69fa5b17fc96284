import Foundation

/// Where benchmarks find what they measure against.
enum Places {
  /// This folder.
  static let benchmarks = URL(filePath: #filePath).deletingLastPathComponent()
  /// Scripts and captures beside the project.
  static let shared =
    ProcessInfo.processInfo.environment["BABBENCH_SHARED"].map { URL(filePath: $0) }
    ?? benchmarks.appending(path: "../../shared").standardized
}
