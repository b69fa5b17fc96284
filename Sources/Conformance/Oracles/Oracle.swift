public import AppSeam
public import Bench
public import Judging
public import SimKernel

/// One claim about every run, judged from the trace alone.
///
/// An oracle is made for one run, is handed the records of its kinds in trace order, and books what it judges and finds
/// in its ledger. It reads the run's state for who is who; it never sees an engine or its encoder.
public protocol Oracle: AnyObject {
  /// Upper camel case, a claim in the third person; never reused.
  static var id: String { get }
  /// The claim as one sentence.
  static var claim: String { get }
  /// The clause of its protocol that it judges.
  static var clause: String { get }
  /// Whether it says that something never happens, or that something happens in time.
  static var nature: OracleNature { get }
  /// The kinds of record it reads.
  static var interests: [TraceKind] { get }
  /// The names of reports on which its findings rest: where a program says none of the words of one, it is not judged.
  static var restsOn: [String] { get }
  /// Reports without which it sees nothing of a device: where a program never says one, its silence is told.
  static var sees: [SeenReport] { get }
  /// It only judges whether the run came to its end, which by itself is nobody's pass.
  static var judgesEndOnly: Bool { get }

  /// What it is, for results; that of its type, unless one type judges many claims.
  var description: OracleDescription { get }
  /// Where it books what it judges and finds; `makeLedger()` makes one.
  var ledger: OracleLedger { get }
  /// The next instant at which something is due, as chances are now; `distantFuture` when nothing is.
  var deadline: SimInstant { get }
  /// One record of the kinds asked for; the run's state already knows of it.
  func observe(_ record: TraceRecord)
  /// Time has passed `deadline`; the run's state is what it was just before `now`.
  func expire(at now: SimInstant)
  /// The run is over; obligations that are not due yet are open.
  func finish(_ outcome: RunOutcome)
}

extension Oracle {
  public static var judgesEndOnly: Bool { false }
  public static var restsOn: [String] { [] }
  public static var sees: [SeenReport] { [] }
  public var description: OracleDescription { OracleDescription(Self.self) }
  public var deadline: SimInstant { .distantFuture }
  public func expire(at now: SimInstant) {}
  public func finish(_ outcome: RunOutcome) {}

  /// A new ledger under the name and the clause of the oracle.
  public static func makeLedger() -> OracleLedger { OracleLedger(oracle: id, clause: clause) }
}

/// A report by which an oracle sees something, who says it, and what shows that there was something to say.
public struct SeenReport: Hashable, Sendable {
  public let word: String
  /// Nil: every role.
  public let role: AppRole?
  /// A report that somebody says where this one is due too.
  public let occasion: String

  /// - Parameter occasion: nil: the report itself, of somebody else.
  public init(_ word: String, _ role: AppRole? = nil, with occasion: String? = nil) {
    self.word = word
    self.role = role
    self.occasion = occasion ?? word
  }
}

/// What kind of claim an oracle is.
public enum OracleNature: String, Hashable, Sendable, CaseIterable {
  /// Something never happens: judged always.
  case safety
  /// Something happens in time: of that time counts what a `Chance` is open.
  case liveness
}

/// What an oracle is, for lists and documents.
public struct OracleDescription: Hashable, Sendable {
  public var id: String
  public var claim: String
  public var clause: String
  public var nature: OracleNature
  public var restsOn: [String]

  public init(_ oracle: any Oracle.Type) {
    restsOn = oracle.restsOn
    nature = oracle.nature
    id = oracle.id
    claim = oracle.claim
    clause = oracle.clause
  }

  /// One of several claims that one type of oracle judges.
  public init(id: String, claim: String, clause: String, nature: OracleNature, restsOn: [String] = []) {
    self.id = id
    self.claim = claim
    self.clause = clause
    self.nature = nature
    self.restsOn = restsOn
  }
}

/// A reader that says at the end of a run what the oracles of a protocol say.
public protocol RunJudge: TraceReader {
  /// Nil until the run is over.
  var judgement: Judgement? { get }
}

extension OracleLedger {
  /// Whether a run came to its end within its limits. Which app broke down, the joint judge says; and whoever stopped a
  /// run did not wait for an end.
  package func judgeEnding(of outcome: RunOutcome) {
    switch outcome.ending {
    case .finished: judged += 1
    case .simulatedTimeLimit:
      fail(
        at: outcome.endInstant, device: -1, expected: "every awaited condition comes true",
        actual: "the limit of simulated time was reached while the scenario still waited")
    case .stopped, .breakdown: break
    case .eventLimit:
      fail(at: outcome.endInstant, device: -1, expected: "the run comes to rest", actual: "the event limit was reached")
    }
  }
}
