import BluetoothWire
import Campaigns
import Conformance
import Judging
import SimKernel

/// Says what was found as soon as it is known, and writes it to a folder.
final class FindingTeller {
  private let streams: OutputStreams
  private let seed: UInt64
  /// Nil: nothing is written.
  private let out: OutputFolder?
  var count: Int { rows.count }
  /// For the report, in the order in which they were found.
  private(set) var rows: [CampaignReport.Finding] = []

  private static let shownOctets = 64

  init(_ streams: OutputStreams, seed: UInt64, out: OutputFolder?) {
    self.streams = streams
    self.seed = seed
    self.out = out
  }

  /// - Parameter words: of a command line, which name the parser.
  func tell(_ finding: FuzzFinding, words: [String]) throws {
    let row = row(of: finding, words: words)
    rows.append(row)
    let place = finding.execution == .max ? "a given input" : "execution \(finding.execution)"
    let octets = "\(CountedNoun.text(finding.input.count, "octet")): \(Self.shown(finding.input))"
    Console.endProgress()
    streams.tell("found \(finding.decoder): \(finding.cause)")
    if let detail = finding.detail, detail != finding.cause { streams.tell("      \(detail)") }
    streams.tell("      \(place), \(octets)")
    guard let out else { return }
    let folder = try out.folder(row.folder)
    let text = """
      \(finding.cause)
      said:      \(finding.detail ?? finding.cause)
      decoder:   \(finding.decoder)
      seed:      \(seed), \(place)
      input:     \(octets), made smaller
      repeat it: \(row.repeatLine)

      """
    try FileSink.write(finding.input, to: folder.path(of: "input"))
    try FileSink.write(Array(text.utf8), to: folder.path(of: "finding.txt"))
    streams.tell("      \(row.repeatLine)")
  }

  /// Counts findings that an earlier run has told of.
  func recall(_ findings: [FuzzFinding], words: [String]) {
    for finding in findings { rows.append(row(of: finding, words: words)) }
  }

  private func row(of finding: FuzzFinding, words: [String]) -> CampaignReport.Finding {
    let folder = "\(finding.decoder)-\(count + 1)"
    let file = (out.map { $0.path + "/" } ?? "") + folder + "/input"
    return CampaignReport.Finding(
      cause: "\(finding.decoder): \(finding.cause)", text: finding.detail ?? finding.cause, times: nil,
      first: finding.execution == .max ? nil : Int(finding.execution),
      input: ["\(CountedNoun.text(finding.input.count, "octet")): \(Self.shown(finding.input))"], folder: folder,
      files: ["input", "finding.txt"],
      repeatLine: Shell.line(["babbench", "fuzz", "parser"] + words + ["--input", file]))
  }

  private static func shown(_ octets: [UInt8]) -> String {
    octets.count <= shownOctets
      ? String(hexadecimal: octets) : String(hexadecimal: Array(octets.prefix(shownOctets))) + "…"
  }
}
