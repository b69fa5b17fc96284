public import Judging

/// How an implementation broke down, beyond any packet.
///
/// Before its hello it was never there, and nothing can be said about it: `error`. After it, whatever made it stop was
/// the traffic of a test, and no traffic may: `fail`.
public struct IUTFailure: Error, Hashable, Sendable, Codable {
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
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

    /// For people, after “the implementation”.
    public var words: String {
      switch self {
      case .notStarted: "did not start"
      case .exited: "ended"
      case .silent: "gave no answer"
      case .garbage: "gave no valid answer"
      case .wrongInstant: "answered for another instant"
      case .flooded: "said too much"
      case .memory: "used too much memory"
      }
    }
  }

  /// How a program came to its end by itself.
  public enum Ending: Hashable, Sendable, Codable {
    case exitCode(Int)
    /// By its name, `SIGSEGV`.
    case signal(String)

    public var words: String {
      switch self {
      case .exitCode(let code): "exit code \(code)"
      case .signal(let name): name
      }
    }
  }

  public var kind: Kind
  /// One sentence for people, with the limit or the offending text.
  public var detail: String
  /// Nil when it did not end, or the bench ended it.
  public var ending: Ending?
  /// Where its own crash message says that it crashed.
  public var crash: CrashMessage?
  /// The newest line on standard output, when that is no message.
  public var lastOutput: String?
  /// The lines of standard error that say most: those of the crash message, or else the newest.
  public var errorLines: [String] = []
  /// What it has in common with others of its kind, where more is known than the kind says.
  private var ownCause: String?

  /// - Parameter cause: words that many cases may share; nil: those of the kind and of the ending.
  public init(
    _ kind: Kind, _ detail: String, cause: String? = nil, ending: Ending? = nil, lastOutput: String? = nil
  ) {
    self.kind = kind
    self.detail = detail
    self.ending = ending
    self.lastOutput = lastOutput
    ownCause = cause
  }

  public var verdict: Verdict { kind == .notStarted ? .error : .fail }

  /// What many cases have in common that end like this: the place of the crash, or else the signal or the exit code.
  public var cause: String {
    kind == .notStarted ? "its program does not start" + (startProblem.map { ": " + $0 } ?? "") : breakdown
  }

  private var startProblem: String? {
    if let crash { return "it crashes at \(crash.place)" }
    return ownCause ?? ending.map(Self.words)
  }

  private var breakdown: String {
    switch kind {
    case .notStarted, .exited, .silent:
      if let crash {
        // It may live on: one thread of several has ended, for example.
        let isSilent = kind == .silent && ownCause == nil
        return (isSilent ? "does not answer after its error at " : "crashes at ") + crash.place
      }
      if let ownCause { return ownCause }
      if kind == .silent { return "does not answer in time" }
      switch ending {
      case .exitCode(let code): return "its program ends in the middle of a case, with exit code \(code)"
      case .signal(let name): return "its program is ended by \(name)"
      case nil: return "its program ends in the middle of a case"
      }
    case .garbage: return ownCause ?? "sends what the IUT protocol does not define"
    case .wrongInstant: return ownCause ?? "answers for another instant than it was asked at"
    case .flooded: return ownCause ?? "says more than a limit allows"
    case .memory: return ownCause ?? "uses more memory than it may"
    }
  }

  private static func words(_ ending: Ending) -> String {
    switch ending {
    case .exitCode(let code): "it ends with exit code \(code)"
    case .signal(let name): "it is ended by \(name)"
    }
  }
}
