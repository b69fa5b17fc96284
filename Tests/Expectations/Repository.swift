public import Foundation

/// The checkout that tests stand in.
public enum Repository {
  /// The package's own folder, two above this one.
  public static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// What others made, captures among it: the folder that `BABBENCH_SHARED` names, or `shared` beside the checkout.
  public static let shared =
    ProcessInfo.processInfo.environment["BABBENCH_SHARED"]
    ?? root.deletingLastPathComponent().appendingPathComponent("shared").path

  /// Where a file is whose path below the root is known.
  public static func path(_ path: String) -> String { root.appendingPathComponent(path).path }

  public static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
