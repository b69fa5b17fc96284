import Foundation

/// What programs that the bench starts inherit.
enum Environment {
  /// `NAME=value`, by name.
  static var inherited: [String] {
    ProcessInfo.processInfo.environment.map { $0.key + "=" + $0.value }.sorted()
  }
}
