public import CaptureFormats
import Judging

/// Why a capture cannot be read, in one line: which file, where in it, what is wrong.
public struct CaptureRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  public var path: String
  public var reason: String

  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// - Parameter format: of the file, when it is known.
  public init(_ error: any Error, path: String, format: CaptureFormat?) {
    self.path = path
    switch error {
    case let error as WholeFileError: reason = "cannot \(error.operation) it: \(error.reason)"
    case let error as CaptureError where format == nil:
      reason = "no capture that babbench reads: \(error)"
    case let error as CaptureError: reason = "damaged \(format.map(\.rawValue) ?? ""): \(error)"
    default: reason = "\(error)"
    }
  }

  public var description: String { "\(path): \(reason)" }
}
