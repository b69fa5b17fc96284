package import SimKernel

/// An instant of the undisturbed run at which a fault may hurt, with everything that makes it one.
package struct Place: Hashable, Sendable {
  /// What can happen at a place, in the order of reports.
  package enum Kind: String, CaseIterable, Sendable {
    case packetBegins
    case packetIsOut
    case acknowledged
    case packetArrives
    case shows
    case phase
    case linkOpens
    case linkEnds

    /// For rows of tables.
    package var short: String {
      switch self {
      case .packetBegins: "packet begins"
      case .packetIsOut: "packet out"
      case .acknowledged: "acknowledged"
      case .packetArrives: "packet in"
      case .shows: "shown"
      case .phase: "phase"
      case .linkOpens: "link up"
      case .linkEnds: "link down"
      }
    }
  }

  /// One thing that happens there.
  package struct Happening: Hashable, Sendable {
    package var kind: Kind
    /// Dense index.
    package var device: Int
    /// For people, without the device: `begins to send ECHO`.
    package var text: String
  }

  package var instant: SimInstant
  /// In the order in which they were observed; never empty.
  package var happenings: [Happening]

  /// The first thing that happens there, for people.
  package func name(_ names: [String]) -> String {
    let first = happenings[0]
    let others = happenings.count > 1 ? " (and \(happenings.count - 1) more)" : ""
    return "\(names[first.device]) \(first.text)\(others)"
  }
}
