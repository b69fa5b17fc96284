/// What a crash message of a program says: where, and in its own words why.
public struct CrashMessage: Hashable, Sendable, Codable {
  /// As the message names it; relative to the program's folder where it is in there.
  public var file: String
  /// 0 where there is none: the place is a function then.
  public var line: Int
  /// Empty where the message says no more than the place.
  public var text: String

  public init(file: String, line: Int, text: String) {
    self.file = file
    self.line = line
    self.text = text
  }

  /// `host.py:42`, or the name of a function
  public var place: String { line == 0 ? file : "\(file):\(line)" }
  /// `host.py:42: ZeroDivisionError: division by zero`
  public var words: String { text.isEmpty ? place : "\(place): \(text)" }
}
