public import AppSeam
public import Judging

/// An engine that can fail as a program does, besides giving wrong answers: one in a process of its own.
public protocol FallibleEngine: AppEngine {
  /// Why it answers no more; nil while it does. Once set it stays.
  var failure: IUTFailure? { get }
  /// What it wrote for people, its newest part; empty where there is no such thing.
  var log: String { get }
  /// Ends the app: the case is over, or the app was killed. Must leave nothing behind.
  func close()
}

extension FallibleEngine {
  public var log: String { "" }
}

/// How an implementation broke down, beyond any packet.
///
/// Before its hello it was never there, and nothing can be said about it: `error`. After it, whatever made it stop was
/// the traffic of a test, and no traffic may: `fail`.
public struct IUTFailure: Error, Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The program could not be started, or ended before its hello.
    case notStarted
    /// It ended in the middle of a case.
    case exited
    /// It did not answer within the wall-clock limit.
    case silent
    /// What it said is not in the protocol: no JSON, unknown effects, missing members, bytes that are not UTF-8.
    case garbage
    /// It answered for another instant than it was asked at, or wants to be woken in the past.
    case wrongInstant
    /// It said more than a limit allows, without end.
    case flooded
    /// It used more memory than it may.
    case memory
  }

  /// What many cases have in common that end like this.
  var cause: String {
    switch kind {
    case .notStarted: "its program does not start"
    case .exited: "its program ends in the middle of a case"
    case .silent: "does not answer in time"
    case .garbage: "says what the protocol of the pipe does not know"
    case .wrongInstant: "answers for another instant than it was asked at"
    case .flooded: "says more than a limit allows"
    case .memory: "uses more memory than it may"
    }
  }

  public var kind: Kind
  /// One sentence for people, with the limit or the offending text.
  public var detail: String

  public init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }

  public var verdict: Verdict { kind == .notStarted ? .error : .fail }
}
