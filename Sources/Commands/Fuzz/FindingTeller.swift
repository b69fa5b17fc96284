import BluetoothWire
import Judging

/// Says what was found as soon as it is known, and writes it to a folder.
final class FindingTeller {
  private let audience: Audience
  private let seed: UInt64
  /// Nil: nothing is written.
  private let out: String?
  private(set) var count = 0

  private static let shownOctets = 64

  init(_ audience: Audience, seed: UInt64, out: String?) {
    self.audience = audience
    self.seed = seed
    self.out = out
  }

  /// - Parameter words: of a command line, which name the parser.
  func tell(_ finding: FuzzFinding, words: [String]) throws {
    count += 1
    let place = finding.execution == .max ? "an input that was given" : "execution \(finding.execution)"
    let octets = "\(finding.input.count) octets: \(Self.shown(finding.input))"
    Console.endProgress()
    audience.tell("found \(finding.decoder): \(finding.cause)")
    if let detail = finding.detail, detail != finding.cause { audience.tell("      \(detail)") }
    audience.tell("      \(place), \(octets)")
    guard let out else { return }
    let folder = try OutputFolder(creating: out).folder("\(finding.decoder)-\(count)")
    let file = folder.path(of: "input")
    let line = Shell.line(["babbench", "fuzz", "parser"] + words + ["--input", file])
    let text = """
      \(finding.cause)
      said:      \(finding.detail ?? finding.cause)
      decoder:   \(finding.decoder)
      seed:      \(seed), \(place)
      input:     \(octets), made smaller
      repeat it: \(line)

      """
    try FileSink.write(finding.input, to: file)
    try FileSink.write(Array(text.utf8), to: folder.path(of: "finding.txt"))
    audience.tell("      \(line)")
  }

  private static func shown(_ octets: [UInt8]) -> String {
    octets.count <= shownOctets
      ? String(hexadecimal: octets) : String(hexadecimal: Array(octets.prefix(shownOctets))) + "…"
  }
}
