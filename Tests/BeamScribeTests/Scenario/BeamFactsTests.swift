import AppSeam
import BeamScribe
import Expectations
import Testing

@testable import Bench

@Suite("Facts of BeamScribe")
struct BeamFactsTests {
  private let app = BeamApp()
  private let facts: any AppFacts

  init() {
    let members = [AppRole.beamHost, .beamGuest].map { role in
      AppCast.Member(app: BeamApp.name, role: role, lobby: "", isForeign: false, leader: 0)
    }
    facts = app.makeFacts(AppCast(members: members), settings: AppSettings(BeamSettings()))
  }

  private func holds(_ words: String, _ device: Int) throws -> Bool {
    let fact = try required(app.fact(words.split(separator: " ").map(String.init)))
    expect(!facts.detail(fact, device: device).isEmpty)
    return facts.holds(fact, device: device)
  }

  private func tell(_ device: Int, _ reports: BeamReport...) {
    for report in reports { facts.read(AppReport(report), device: device) }
  }

  @Test("Transcripts are compared with the host's, octet by octet")
  func transcripts() throws {
    try expect(holds("agree on transcript", 1))
    tell(0, .finalShown(sequence: 1, text: "é"))
    try expect(!holds("agree on transcript", 1))
    tell(1, .finalShown(sequence: 1, text: "e\u{301}"))
    try expect(!holds("agree on transcript", 1))
    tell(1, .transcriptCleared, .finalShown(sequence: 1, text: "é"))
    try expect(holds("agree on transcript", 1))
    try expect(holds("cleared transcript", 1))
    try expect(holds("1 finals", 1))
    tell(1, .finalShown(sequence: 1, text: "é"), .finalShown(sequence: 1, text: "é"))
    try expect(holds("1 finals", 1))
  }

  @Test("A host that is launched again keeps its transcript, a guest does not, and a new event begins with nothing")
  func launches() throws {
    for device in 0...1 {
      tell(device, .state("X"), .finalShown(sequence: 1, text: "One."))
      facts.read(.launched, device: device, peer: nil)
    }
    try expect(holds("1 finals", 0))
    try expect(holds("no finals", 1))
    facts.read(.user(.startEvent(name: "")), device: 0, peer: nil)
    try expect(holds("no finals", 0))
    tell(0, .state("HOSTING"), .finalShown(sequence: 1, text: "One."))
    facts.read(.user(.startEvent(name: "")), device: 0, peer: nil)
    try expect(holds("1 finals", 0))
  }

  @Test("What is counted")
  func counts() throws {
    tell(0, .eventNamed("Talk"), .guests(count: 3, open: 2), .refused(ConnectionID(1), reason: "slow"))
    tell(0, .unstable(peer: "x", count: 1))
    equal(facts.peerID(of: 0), "Talk")
    for words in [
      "3 guests", "2 open guests", "1 refused stream", "refused slow", "1 unstable stream", "event named Talk",
    ] {
      try expect(holds(words, 0), "\(words)")
    }
    try expect(!holds("refused full", 0))
    tell(1, .state("LOST"), .alertShown("hostDisconnected", isOwn: true), .latency(sequence: 1, milliseconds: -1))
    tell(1, .packetReceived(ConnectionID(2), type: "fullHistory", octets: 55), .partialShown(sequence: 1, text: "O"))
    for words in [
      "LOST", "1 loss", "1 alerts", "1 own alert", "alert hostDisconnected shown", "1 claimed latency",
      "1 fullHistory packet", "shows partial O",
    ] { try expect(holds(words, 1), "\(words)") }
    tell(0, .state("IDLE"))
    expect(facts.peerID(of: 0) == nil)
  }

  @Test("Streams and their interfaces")
  func streams() throws {
    try expect(!holds("on awdl", 1))
    facts.read(.network(.ready(ConnectionID(2), .peerToPeer)), device: 1, peer: nil)
    try expect(holds("on awdl", 1))
    facts.read(.network(.ready(ConnectionID(4), .infrastructure)), device: 1, peer: nil)
    try expect(holds("2 streams", 1))
    try expect(!holds("on awdl", 1))
    facts.read(.network(.cancelled(ConnectionID(2))), device: 1, peer: nil)
    try expect(holds("on wifi", 1))
    facts.read(.network(.failed(ConnectionID(4), .reset)), device: 1, peer: nil)
    try expect(holds("no streams", 1))
  }
}
