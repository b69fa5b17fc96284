/// Why a capture file was refused, and where.
public struct CaptureError: Error, Equatable, Sendable {
  public enum Reason: String, Sendable {
    case notACapture = "unknown start"
    case notThisFormat = "not a file of this format"
    case unsupportedVersion = "unsupported version"
    case lengthOutOfRange = "length out of range"
    case lengthMismatch = "length mismatch"
    case unknownInterface = "unknown interface"
  }

  public var reason: Reason
  /// Octets from the start of the file to the field that was refused.
  public var offset: Int
  /// What it looks like instead, and what to do about it.
  public var guess: String?

  public init(_ reason: Reason, at offset: Int, guess: String? = nil) {
    self.reason = reason
    self.offset = offset
    self.guess = guess
  }
}

extension CaptureError: CustomStringConvertible {
  public var description: String { "\(reason.rawValue) at octet \(offset)\(guess.map { ": \($0)" } ?? "")" }
}

/// How a capture file ended.
public enum CaptureEnding: Hashable, Sendable {
  /// After a whole record.
  case whole
  /// Inside the record that starts at this octet; the records before it are good.
  case truncated(recordAt: Int)
}
