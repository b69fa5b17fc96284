import CoreBluetooth

/// Errors in words, as an app that knows codes of its own shows them.
public enum ErrorTexts {
  public static func text(of error: Error) -> String {
    guard let error = error as? CBATTError else { return error.localizedDescription }
    switch error.code {
    case .invalidHandle, .attributeNotFound: return "no such attribute"
    case .readNotPermitted, .writeNotPermitted: return "not allowed"
    default: return "code \(error.code.rawValue)"
    }
  }
}
