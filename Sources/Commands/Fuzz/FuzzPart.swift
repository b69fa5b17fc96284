import Campaigns
import Conformance
import InPlaceFuzz
import Judging

/// What a shard of `babbench fuzz run` came to: a campaign with a seed of its own.
struct FuzzPart: Codable {
  /// A finding whose folder is written.
  struct Told: Codable {
    /// The files in its folder; the capture may not be there.
    static let files = ["input.json", "finding.txt", capture]
    static let capture = "finding.pcapng"

    /// The smallest that was found.
    var attack: Attack
    /// `finding.txt` up to the line that repeats it.
    var lines: [String]
    var hasCapture: Bool

    /// `finding.txt`.
    /// - Parameter words: of the command line.
    func text(repeating words: [String]) -> [UInt8] {
      Array(((lines + ["", "repeat " + Shell.line(words)]).joined(separator: "\n") + "\n").utf8)
    }
  }

  /// The line that repeats the campaign, without how far.
  var words: [String]
  var scenario: String
  var device: String
  var seam: String
  var condition: String
  var span: String
  var eventLimit: Int
  var seed: UInt64
  /// When the state was reached.
  var instant: String
  var executions: Int
  var wholes: Int
  var astray: Int
  var events: Int
  var states: Int
  var corpus: Int
  var digest: String
  var curve: CampaignCurve
  var discoveries: [Campaign.Discovery]
  /// By the index of their discovery.
  var told: [Told]
  var milliseconds: Int
}
