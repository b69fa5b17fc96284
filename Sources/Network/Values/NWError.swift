/// What went wrong on a connection, a listener or a browser.
///
/// Source: Apple, `NWError`. Cases of `POSIXErrorCode` have Apple's names; their raw values are those of Linux, while
/// the texts show Apple's numbers.
public enum NWError: Error, Hashable, Sendable {
  /// An error of the transport or the system.
  case posix(POSIXErrorCode)
  /// An error of DNS Service Discovery.
  case dns(DNSServiceErrorType)
  /// An error of TLS, which is not modelled: no connection of the bench has it.
  case tls(OSStatus)
}

extension NWError: CustomDebugStringConvertible {
  /// `POSIXErrorCode(rawValue: 61): Connection refused`, `-65569: DefunctConnection`.
  public var debugDescription: String {
    switch self {
    case .posix(let code): "POSIXErrorCode(rawValue: \(Self.number(of: code))): \(Self.text(of: code))"
    case .dns(let code): "\(code): \(DNSServiceErrorNames.name(of: code))"
    case .tls(let code): "\(code): TLS"
    }
  }
}

extension NWError: CustomNSError, LocalizedError {
  /// As Apple's module has it.
  public static var errorDomain: String { "Network.NWError" }
  /// The number of the error on Apple's platforms.
  public var errorCode: Int {
    switch self {
    case .posix(let code): Int(Self.number(of: code))
    case .dns(let code), .tls(let code): Int(code)
    }
  }
  /// The description for people.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: errorDescription ?? ""] }
  /// For people.
  public var errorDescription: String? {
    let text =
      switch self {
      case .posix(let code): Self.text(of: code)
      case .dns(let code): DNSServiceErrorNames.name(of: code)
      case .tls: "TLS"
      }
    return "The operation couldn’t be completed. (Network.NWError error \(errorCode) - \(text))"
  }

  /// The numbers that Apple's platforms have for the codes that the bench uses.
  private static let numbers: [POSIXErrorCode: Int32] = [
    .EINVAL: 22, .EPIPE: 32, .EMSGSIZE: 40, .EADDRINUSE: 48, .ENETDOWN: 50, .ENETUNREACH: 51, .ECONNABORTED: 53,
    .ECONNRESET: 54, .ENOBUFS: 55, .ENOTCONN: 57, .ETIMEDOUT: 60, .ECONNREFUSED: 61, .EHOSTUNREACH: 65,
    .ECANCELED: 89, .ENODATA: 96,
  ]

  private static func number(of code: POSIXErrorCode) -> Int32 { numbers[code] ?? code.rawValue }

  private static func text(of code: POSIXErrorCode) -> String {
    // The C library of Linux has another text for this one.
    if code == .ENODATA { return "No message available on STREAM" }
    return String(cString: strerror(code.rawValue))
  }
}
