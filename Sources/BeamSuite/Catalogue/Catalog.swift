import AppSeam
import BeamScribe
import Bench
import Conformance

/// Every test purpose of BeamScribe, in the order of Docs/Protocol/beamscribe-purposes.md.
enum Catalog {
  static let all: [TestPurpose] = hosts + guests

  static let hosts: [TestPurpose] = [
    advHost, discHost, gateHost, frameHost, wireHost, liveHost, histHost, alertHost, endHost, capHost, pathHost,
    backHost, latHost, robustHost, mpcHost,
  ].flatMap { $0 }

  static let guests: [TestPurpose] = [
    scanGuest, joinGuest, frameGuest, wireGuest, liveGuest, histGuest, alertGuest, endGuest, retryGuest, pathGuest,
    backGuest, latGuest, robustGuest, mpcGuest,
  ].flatMap { $0 }
}

extension TestPurpose {
  /// A purpose of BeamScribe: the second part of its id is the role of the implementation under test, the bench plays
  /// the other one. The room is ideal, with an access point and Wi-Fi from peer to peer, unless `arrange` says
  /// otherwise.
  init(
    _ id: String, _ clauses: [String], _ purpose: String, initial: String, expects expectedOutcomes: [String],
    needs: [ICS.Item] = [], dialects: [DialectName] = [.beamNetwork], seeds: [UInt64] = [1], testers: Int = 1,
    arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    procedure: @escaping @Sendable (BeamBed) throws -> Void
  ) {
    let isGuest = id.split(separator: "/").dropFirst().first == "GUEST"
    self.init(
      id, role: isGuest ? .beamGuest : .beamHost, peers: isGuest ? .beamHost : .beamGuest, clauses, purpose,
      initial: initial, expects: expectedOutcomes, needs: needs, dialects: dialects, seeds: seeds, testers: testers,
      arrange: { stage in
        stage.scenario.network = .named("ideal")
        arrange(&stage)
      }
    ) { bed in
      guard let bed = bed as? BeamBed else { throw bed.inconclusive("\(id) is for a test bed of BeamScribe") }
      try procedure(bed)
    }
  }
}
