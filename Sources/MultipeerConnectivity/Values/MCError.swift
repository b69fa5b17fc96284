/// What went wrong in a session.
///
/// Source: Apple, `MCError`.
public struct MCError: Error, Hashable, Sendable, CustomNSError {
  /// Which error it is.
  public enum Code: Int, Hashable, Sendable {
    /// None of the others.
    case unknown
    /// The peer is not connected.
    case notConnected
    /// A parameter cannot be.
    case invalidParameter
    /// It is not supported.
    case unsupported
    /// Nothing was answered in time.
    case timedOut
    /// It was cancelled.
    case cancelled
    /// It is not available.
    case unavailable
  }

  /// Which error it is.
  public let code: Code
  /// An error by its code.
  public init(_ code: Code) { self.code = code }

  /// As Apple's module has it.
  public static var errorDomain: String { "MCErrorDomain" }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }
}

/// The domain of errors of sessions.
public let MCErrorDomain = MCError.errorDomain
