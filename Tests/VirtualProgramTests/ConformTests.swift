import Testing

/// The suite as it judges apps written for CoreBluetooth (Docs/corebluetooth-program.md has the table).
@Suite("babbench conform, on hosts written for CoreBluetooth", .enabled(if: Conform.isPossible))
struct ConformTests {
  /// A mistake, the purposes that it alone fails, and the clauses that they name.
  struct Named: CustomTestStringConvertible {
    var mistake: String
    var findings: [(purpose: String, clause: String)]
    var testDescription: String { mistake }
  }

  private static let table: [Named] = [
    Named(mistake: "raw-chunks", findings: [("FRAG/BV-01-C", "BAB 3.1")]),
    Named(mistake: "fixed-length", findings: [("MTU/BV-01-C", "BAB 3.4")]),
    Named(mistake: "ignores-result", findings: [("LOAD/BV-05-C", "BAB 5.2.5")]),
    Named(mistake: "one-queue", findings: [("LOAD/BV-07-C", "BAB 5.2.4")]),
    Named(mistake: "tells-everybody", findings: [("LOBBY/BV-03-C", "BAB 5.1.6")]),
    Named(mistake: "one-counter", findings: [("FRAG/BV-06-C", "BAB 3.7")]),
    Named(mistake: "one-buffer", findings: [("FRAG/BI-23-C", "BAB 3.9"), ("LOBBY/BV-16-C", "BAB 5.1.7")]),
    Named(mistake: "keeps-parts", findings: [("FRAG/BI-02-C", "BAB 3.14")]),
    Named(mistake: "knows-subscribers", findings: [("GATT/BV-05-C", "BAB 5.9.4")]),
    Named(mistake: "misses-the-end", findings: [("LINK/BV-01-C", "BAB 5.7.1")]),
    Named(mistake: "foundation-json", findings: [("WIRE/BV-01-C", "BAB 4.1")]),
    Named(mistake: "always-advertises", findings: [("START/BV-03-C", "BAB 5.2.9")]),
    Named(mistake: "publishes-again", findings: [("LINK/BV-05-C", "BAB 5.7.12")]),
  ]

  @Test("One mistake of guides is named by the clause that it breaks, and a host without it passes", arguments: table)
  func named(_ named: Named) throws {
    let purposes = named.findings.map { "BAB/HOST/" + $0.purpose }
    let mistaken = try Conform(["sound-host", named.mistake], purposes)
    for (purpose, clause) in named.findings {
      #expect(mistaken.verdict(purpose) == "fail", "\(purpose): \(mistaken.output)")
      #expect(mistaken.clause(purpose) == clause, "\(purpose)")
    }
    let sound = try Conform(["sound-host"], purposes)
    #expect(sound.result.verdict == "pass", "\(sound.output)")
  }

  @Test("A manager as guides write it comes to the end of the suite; what crashes it has its line")
  func guide() throws {
    let guide = try Conform(
      ["guide-host", "--headers"], ["BAB/HOST/FRAG/BI-06-C", "BAB/HOST/GATT/BV-01-C", "BAB/HOST/MTU/BV-01-C"])
    #expect(guide.verdict("GATT/BV-01-C") == "pass")
    #expect(guide.clause("MTU/BV-01-C") == "BAB 3.4")
    #expect(guide.clause("FRAG/BI-06-C") == "BAB 7.13")
    #expect(guide.output.contains("BluetoothManager.swift:59"), "\(guide.output)")
    #expect(guide.logs.contains { $0.contains("misuse update.truncated: updateValue with 182 octets where 20 fit") })
  }

  @Test("A run gives the same digests again, and with two jobs")
  func repeats() throws {
    let purposes = ["BAB/HOST/LINK/**", "BAB/HOST/LOBBY/BV-16-C"]
    let digests = try [1, 1, 2].map { jobs in
      try Conform(["guide-host", "--headers"], purposes, jobs: jobs).result.cases.map(\.digest)
    }
    #expect(digests[0].count >= 10)
    #expect(digests[0] == digests[1] && digests[0] == digests[2])
  }
}
