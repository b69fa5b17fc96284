import Bench
import Foundation
import Judging
import SimKernel

/// `shard.json` in the folder of a shard: what it is a part of, which part, and whether it is whole.
///
/// It is there before anything is played, and says then that everything is missing.
struct ShardNote: Hashable, Codable {
  /// Grows when a member changes its meaning or goes away.
  static let version = 1
  /// The name of the file.
  static let file = "shard.json"

  /// The commands that have shards.
  enum Command: String, Codable {
    case stress = "babbench stress"
    case conform = "babbench conform"
    case selftest = "babbench selftest"
    case fuzzRun = "babbench fuzz run"
    case explore = "babbench explore"
  }

  var version = Self.version
  var babbench = Babbench.version
  var command: Command
  /// The command line of the whole, with everything that may change its result.
  var line: String
  /// Digests of the octets of the files that are read, by what they are.
  var inputs: [String: String]
  /// For people: `1..100`, or what stands for seeds.
  var seeds: String
  var shard: Shard
  /// What it consists of: worlds, cases, pieces or executions.
  var unit: String
  var size: Int
  var missing: Int
  var isWhole: Bool

  /// - Parameter words: the command line of the whole.
  init(
    _ command: Command, words: [String], inputs: [String: String], seeds: String, shard: Shard, unit: String, size: Int
  ) {
    self.command = command
    line = Shell.line(words)
    self.inputs = inputs
    self.seeds = seeds
    self.shard = shard
    self.unit = unit
    self.size = size
    missing = size
    isWhole = false
  }

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

  /// Over a file that is read; one that cannot be read is reported when it is read.
  static func digest(of path: String) -> String {
    var digest = TraceDigest()
    digest.combine(octets: FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? [])
    return digest.hexadecimal
  }
}
