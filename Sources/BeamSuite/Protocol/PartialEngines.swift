import AppSeam
import BeamScribe
import Conformance

/// Engines of BeamScribe that are less than whole: without a step, a packet or a report.
enum PartialEngines {
  static let all = [AppRole.beamHost, .beamGuest].flatMap { role in steps(role) + packets(role) + reports(role) }

  private static func steps(_ role: AppRole) -> [PartialEngine] {
    let steps: [(SeamStep, own: [String])] =
      role == .beamHost
      ? [
        (.advertise, ["never listens", "advertise"]), (.listen, ["never listens"]),
        (.send, ["sends no fullHistory", "sends no liveChunk", "sends no alert"]),
      ]
      : [(.scan, ["never browses", "scans"]), (.browse, ["never browses"]), (.open, ["connects to no event"])]
    return steps.map { step, own in
      .stops(before: step, role, own: own, mayPass: alone) { BeamEngines.reference($0) }
    }
  }

  /// Only hosts send packets.
  private static func packets(_ role: AppRole) -> [PartialEngine] {
    role == .beamHost
      ? BeamPacket.Kind.allCases.map { kind in
        PartialEngine(
          "without \(kind.rawValue)", role, own: words(kind),
          makeEngine: Mutant.withholding([kind], role).makeEngine)
      } : []
  }

  /// By advertising, listening and scanning alone, or by the ends and counts of streams on which nothing is due.
  private static let alone = [
    "BEAM/*/ADV/**", "BEAM/*/DISC/**", "BEAM/*/SCAN/**", "BEAM/GUEST/JOIN/BV-02-C", "BEAM/HOST/GATE/BI-02-C",
    "BEAM/HOST/GATE/BI-03-C", "BEAM/HOST/END/BV-02-C", "BEAM/HOST/ROBUST/BI-03-C", "BEAM/GUEST/ROBUST/BI-02-C",
  ]

  private static func words(_ kind: BeamPacket.Kind) -> [String] {
    [kind.rawValue] + (kind == .alert ? BeamAlert.allCases.map(\.rawValue) : [])
  }

  private static func reports(_ role: AppRole) -> [PartialEngine] {
    BeamReport.names.map { .unsaid($0, role) { BeamEngines.reference($0) } }
  }
}
