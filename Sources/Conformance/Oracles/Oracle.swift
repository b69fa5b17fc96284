public import BabSim
public import Judging
public import SimKernel

/// One claim about every run, judged from the trace alone.
///
/// An oracle is made for one run, is handed the records of its kinds in trace order, and books what it judges and finds
/// in its ledger. It reads `state` for who is who; it never sees an engine or its encoder.
public protocol Oracle: AnyObject {
  /// Upper camel case, a claim in the third person; never reused.
  static var id: String { get }
  /// The claim as one sentence.
  static var claim: String { get }
  /// The clause of Docs/Protocol that it judges.
  static var clause: String { get }
  /// The kinds of record it reads.
  static var interests: [TraceKind] { get }

  init(state: RunState)

  var ledger: OracleLedger { get }
  /// The next instant at which something is due; `distantFuture` when nothing is.
  var deadline: SimInstant { get }
  /// One record of the kinds asked for; `state` already knows of it.
  func observe(_ record: TraceRecord)
  /// Time has passed `deadline`; `state` is what it was just before `now`.
  func expire(at now: SimInstant)
  /// The run is over; obligations that are not due yet are open.
  func finish(_ outcome: RunOutcome)
}

extension Oracle {
  public var deadline: SimInstant { .distantFuture }
  public func expire(at now: SimInstant) {}
  public func finish(_ outcome: RunOutcome) {}

  static func makeLedger() -> OracleLedger { OracleLedger(oracle: id, clause: clause) }
}

/// All oracles, in the order in which reports list them.
public enum OracleRegistry {
  public static var all: [any Oracle.Type] {
    [
      OneHostPerLobby.self,
      RosterWithinCapacity.self,
      NoGhostsAfterSupervisionTimeout.self,
      LobbyStateConverges.self,
      StartReachesAll.self,
      CommittedLinesArePrefix.self,
      OnlyCurrentPlayerCompletes.self,
      PrivateTextReachesOnlyItsPlayer.self,
      ScoresFollowFormula.self,
      RankingFollowsScores.self,
      FragmentsFitATTMTU.self,
      NothingReportedSentThatWasNot.self,
      NothingSentIsLost.self,
      VectorClocksNeverGoBack.self,
      ReconnectedPeersResume.self,
      LostSessionsEnd.self,
      NoCrashNoHang.self,
    ]
  }
}
