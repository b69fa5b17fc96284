import Foundation
package import Judging
import SimKernel

/// `shard.json` in the folder of a shard: what it is a part of, which part, and whether it is whole.
///
/// It is there before anything is played, and says then that everything is missing.
package struct ShardNote: Hashable, Codable {
  /// Grows when a member changes its meaning or goes away.
  package static let version = 1
  /// The name of the file.
  package static let file = "shard.json"

  /// The commands that have shards.
  package enum Command: String, Codable {
    case stress = "babbench stress"
    case conform = "babbench conform"
    case selftest = "babbench selftest"
    case fuzzRun = "babbench fuzz run"
    case explore = "babbench explore"
  }

  package var version = Self.version
  package var babbench = BenchVersion.current
  package var command: Command
  /// The command line of the whole, with everything that may change its result.
  package var line: String
  /// Digests of the octets of the files that are read, by what they are.
  package var inputs: [String: String]
  /// For people: `1..100`, or what stands for seeds.
  package var seeds: String
  package var shard: Shard
  /// What it consists of: worlds, cases, pieces or executions.
  package var unit: String
  package var size: Int
  package var missing: Int
  package var isWhole: Bool
  /// Digests of its own files, by their paths in its folder, once it is at its end.
  package var files: [String: String]?

  /// - Parameter words: the command line of the whole.
  package init(
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

  /// Over a file that is read; one that cannot be read is reported when it is read.
  package static func digest(of path: String) -> String {
    var digest = TraceDigest()
    digest.combine(octets: FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? [])
    return digest.hexadecimal
  }
}
