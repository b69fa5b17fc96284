import Expectations
import SimKernel
import Testing
import VirtualRadio

@testable import BabSim
@testable import Bench

@Suite("Recorded sessions as files")
struct SessionFileTests {
  static let header = #"""
    {"bench":"0.3.0","file":"a.yaml","format":"babbench session","kind":"header",\#
    "scenario":"devices: { host: {} }\n",\#
    "seats":[{"device":"host","seat":"foreign-host"}],"seed":"18446744073709551615",\#
    "settings":["radio=ideal"],"version":1}
    """#
  static let whole =
    header + "\n" + #"""
      {"device":"host","instant":0,"kind":"attached"}
      {"device":"host","instant":1500,"kind":"packet","octets":"01030C00"}
      {"device":"host","instant":1500,"kind":"detached"}
      {"digest":"00112233445566778899aabbccddeeff","ending":"stopped","instant":2000,"kind":"end"}

      """#

  static func read(_ text: String) -> Result<SessionRecording, SessionProblem> {
    SessionFile.read(Array(text.utf8), file: "s.jsonl")
  }

  @Test("A file written by hand reads as what it says")
  func byHand() throws {
    let recording = try Self.read(Self.whole).get()
    equal(recording.header.seed, .max)
    equal(recording.header.seats, [SessionRecording.NamedSeat(device: "host", seat: .foreignHost)])
    equal(recording.header.settings, ["radio=ideal"])
    equal(
      recording.entries.map(\.what),
      [.seat(0, .attached), .seat(0, .packet([0x01, 0x03, 0x0C, 0x00])), .seat(0, .detached)])
    equal(recording.entries.map(\.instant.nanoseconds), [0, 1_500, 1_500])
    equal(recording.end?.ending, .stopped)
    expect(recording.remark == nil)
    try equal(recording.scenario(.bab()).get().devices.count, 1)
    try equal(SessionFile.read(recording.octets, file: "s.jsonl").get(), recording)
  }

  @Test(
    "What is wrong is told with its line",
    arguments: [
      ("", 1, "no whole line"), ("hello\n", 1, "no recorded session"),
      (header.replacing("\"version\":1", with: "\"version\":2") + "\n", 1, "version 2"),
      (header.replacing("\"seed\":\"18446744073709551615\"", with: "\"seed\":\"-1\"") + "\n", 1, "seed"),
      (header.replacing("foreign-host", with: "throne") + "\n", 1, "a seat is"),
      (header.replacing("radio=ideal", with: "radio") + "\n", 1, "settings"),
      (header.replacing("\"file\":\"a.yaml\",", with: "") + "\n", 1, "lacks a member"),
      (header + "\n{}\n", 2, "no line of a session"),
      (header + "\n\n", 2, "no line of a session"),
      (header + "\n{\"device\":\"host\",\"instant\":-1,\"kind\":\"attached\"}\n", 2, "never goes back"),
      (header + "\n{\"device\":\"host\",\"instant\":1e30,\"kind\":\"attached\"}\n", 2, "no line of a session"),
      (header + "\n{\"device\":\"guest\",\"instant\":1,\"kind\":\"attached\"}\n", 2, "device"),
      (header + "\n{\"device\":\"host\",\"instant\":1,\"kind\":\"packet\"}\n", 2, "octets"),
      (header + "\n{\"device\":\"host\",\"instant\":1,\"kind\":\"packet\",\"octets\":\"012\"}\n", 2, "octets"),
      (header + "\n{\"device\":\"host\",\"instant\":1,\"kind\":\"packet\",\"octets\":\"zz\"}\n", 2, "octets"),
      (header + "\n{\"device\":\"host\",\"instant\":1,\"kind\":\"dance\"}\n", 2, "a line is"),
      (whole + "{\"device\":\"host\",\"instant\":2000,\"kind\":\"attached\"}\n", 6, "after the end"),
      (whole.replacing("stopped", with: "bored"), 5, "ending"),
      (whole.replacing("00112233", with: "0011"), 5, "digest"),
    ])
  func problems(text: String, line: Int, words: String) {
    switch Self.read(text) {
    case .success: Issue.record("read without a problem")
    case .failure(let problem):
      equal(problem.line, line)
      expect(problem.message.contains(words), "\(problem)")
      expect("\(problem)".hasPrefix("s.jsonl:\(line): "))
    }
  }

  @Test("Every prefix is a recording that says what is missing, or has a problem; nothing traps")
  func prefixes() throws {
    let octets = Array(Self.whole.utf8)
    let headerLength = Self.header.utf8.count
    for length in 0..<octets.count {
      switch SessionFile.read(Array(octets.prefix(length)), file: "s.jsonl") {
      case .failure: expect(length < headerLength)
      case .success(let recording):
        let isWhole = length >= octets.count - 1
        equal((recording.remark == nil), isWhole, "\(length)")
      }
    }
  }

  @Test("Every changed octet is read or refused; nothing traps")
  func flips() {
    var octets = Array(Self.whole.utf8)
    for index in octets.indices {
      for bit in [0, 2, 5, 7] {
        octets[index] ^= 1 << bit
        _ = SessionFile.read(octets, file: "s.jsonl")
        octets[index] ^= 1 << bit
      }
    }
  }

  @Test("A line without end is refused before it is read")
  func longLine() {
    let octets = Array((Self.header + "\n").utf8) + Array(repeating: 0x20, count: SessionFile.lineLimit + 1)
    guard case .failure(let problem) = SessionFile.read(octets, file: "s.jsonl") else { return expect(false, "taken") }
    equal(problem.line, 2)
    expect(problem.message.contains("more than"))
  }

  @Test("A scenario with quotes, line feeds and letters of any kind stands in the header as it was")
  func escapes() throws {
    let text = "name: \"é \\\" / \u{1F600}\"\n# \t\u{7F}\ndevices: { host: {} }\n"
    let header = SessionRecording.Header(
      bench: "0", file: "ä/b.yaml", scenario: text, settings: [], seed: 7, seats: [])
    let recording = SessionRecording(header: header)
    let again = try SessionFile.read(recording.octets, file: "s").get()
    equal(again.header, header)
    equal(again.remark, "the end is missing")
  }

  @Test("A file that is not there is a problem, not a trap")
  func noFile() {
    guard case .failure(let problem) = SessionFile.load("/nowhere/session.jsonl") else { return expect(false, "read") }
    expect(problem.message.contains("no such file"))
  }
}
