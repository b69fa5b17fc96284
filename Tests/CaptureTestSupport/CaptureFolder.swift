import Foundation

/// A folder of its own that goes away with the value.
package final class CaptureFolder {
  package let path: String

  package init() throws {
    path = NSTemporaryDirectory() + "/babbench-captures-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }

  package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

  package func octets(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
  }
}
