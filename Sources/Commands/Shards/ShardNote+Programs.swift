import Bench
import Campaigns
import Foundation

extension ShardNote {
  /// Over the files of programs that a scenario names: its own ones, not interpreters that are found in PATH.
  static func programs(of scenario: Scenario) -> [String: String] {
    var digests: [String: String] = [:]
    for device in scenario.devices {
      guard let program = device.program else { continue }
      for (place, word) in program.words.enumerated()
      where !word.isEmpty && !word.hasPrefix("/") && (place > 0 || word.contains("/")) {
        let file = program.launch.directory + "/" + word
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), !isFolder.boolValue else {
          continue
        }
        digests["the file \(word) of a program"] = digest(of: file)
      }
    }
    return digests
  }
}
