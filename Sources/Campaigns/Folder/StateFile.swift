import Foundation
import Judging

/// `state.json` in the folder of `--out`: from where `--resume` goes on.
///
/// It is replaced as a whole, now and then and at the end.
private struct CampaignState<Progress: Codable>: Codable {
  /// The version of the file.
  var version = 1
  var babbench = BenchVersion.current
  /// The command line that begins the campaign, without how far it goes.
  var plan: String
  var progress: Progress
}

/// Why a campaign cannot go on.
package struct NoResumption: Error, CustomStringConvertible {
  package var description: String
  package init(description: String) { self.description = description }
}

/// Writes and reads the state of a campaign.
package final class StateFile {
  /// The name of the file.
  static let name = "state.json"
  /// The share of the time that may go into writing it is one in so many.
  private static let share = 20
  private static let shortestPause = Duration.seconds(1)

  private let path: String
  private let plan: String
  private let goesOn: Bool
  private var next = ContinuousClock.now

  /// - Parameter goesOn: else what is there is forgotten.
  package init(in folder: OutputFolder, plan: [String], goesOn: Bool) {
    path = folder.path(of: Self.name)
    self.plan = Shell.line(plan)
    self.goesOn = goesOn
    if !goesOn { try? FileManager.default.removeItem(atPath: path) }
  }

  /// Nil: there is none yet, or the campaign begins.
  /// - Throws: `NoResumption` for the state of another campaign, and for what is no state.
  package func read<Progress: Codable>(_ kind: Progress.Type) throws -> Progress? {
    guard goesOn, let data = FileManager.default.contents(atPath: path) else { return nil }
    guard let state = try? JSONDecoder().decode(CampaignState<Progress>.self, from: data) else {
      throw NoResumption(description: "\(path): --resume cannot continue from this state; choose another --out")
    }
    if state.version != 1 || state.babbench != BenchVersion.current {
      throw NoResumption(
        description:
          "\(path): babbench \(state.babbench) wrote this, and this is \(BenchVersion.current); choose another --out")
    }
    if state.plan != plan {
      throw NoResumption(description: "\(path): this is the state of another campaign: \(state.plan)")
    }
    return state.progress
  }

  /// It is that of another program or scenario, which nobody could see before it was played.
  package var isChanged: NoResumption {
    NoResumption(
      description: "\(path): without an attack the scenario no longer plays as it did; choose another --out")
  }

  /// Whether it is time to write it again.
  package var isDue: Bool { ContinuousClock.now >= next }

  package func write(_ progress: some Codable) throws {
    let began = ContinuousClock.now
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(CampaignState(plan: plan, progress: progress))
    try FileSink.write([UInt8](data), to: path)
    let now = ContinuousClock.now
    next = now + max(Self.shortestPause, (now - began) * Self.share)
  }
}
