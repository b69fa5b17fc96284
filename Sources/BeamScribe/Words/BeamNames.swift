package import AppSeam

/// What a guest or a host shows of itself (BEAM 5.3.7, 10).
package enum BeamState: String, Hashable, Sendable, CaseIterable {
  case looking = "LOOKING"
  case connecting = "CONNECTING"
  case connected = "CONNECTED"
  case showing = "SHOWING"
  case lost = "LOST"
  case ended = "ENDED"
  case hosting = "HOSTING"
  /// A host without an event; a guest that has left.
  case idle = "IDLE"
}

/// Why a stream was refused.
package enum RefusalReason: String, Hashable, Sendable, CaseIterable {
  /// There are as many guests as there may be (BEAM 1.4).
  case full
  /// A frame of no octets (BEAM 3.5).
  case frameEmpty
  case frameTooLong
  /// BEAM 3.6, 5.6.11, 7.7.
  case notAPacket
  /// The stream ended within a frame (BEAM 3.7).
  case truncated
  /// A begun frame did not grow (BEAM 3.8).
  case stalled
  /// What waited was too much or too old (BEAM 5.5.6).
  case slow
  /// A number that is not the next one (BEAM 5.6.6, 5.6.7).
  case gap
  /// A newer stream of the same guest took its place (BEAM 5.11.5).
  case superseded
  /// A guest sent something (BEAM 7.1).
  case unexpectedData
}

extension AppRole {
  /// Speaks, and decides the transcript.
  package static let beamHost = AppRole(rawValue: "host")
  /// Shows what a host speaks.
  package static let beamGuest = AppRole(rawValue: "guest")
}

extension DialectName {
  /// Streams of TCP, found by DNS-SD and primed by BLE (BEAM 2).
  package static let beamNetwork = DialectName(rawValue: "network")
  /// The old transport (BEAM 6).
  package static let beamMPC = DialectName(rawValue: "mpc")
}

extension AppInput {
  package static func user(_ action: BeamAction) -> AppInput { .user(AppAction(action)) }

  /// Nil for everything but an action of BeamScribe.
  package var beam: BeamAction? {
    if case .user(let action) = self { return action.beam }
    return nil
  }
}

extension AppEffect {
  package static func report(_ report: BeamReport) -> AppEffect { .report(AppReport(report)) }

  /// Nil for everything but a report of BeamScribe.
  package var beam: BeamReport? {
    if case .report(let report) = self { return report.beam }
    return nil
  }
}

extension AppAction {
  /// Nil for an action of another protocol.
  package var beam: BeamAction? { among(BeamAction.self) }
}

extension AppReport {
  /// Nil for a report of another protocol.
  package var beam: BeamReport? { among(BeamReport.self) }
  /// What it is if it is one of BeamScribe's: among the reports of another protocol the mark says nothing.
  package var beamMark: BeamReport.Mark? { BeamReport.Mark(rawValue: mark) }
}
