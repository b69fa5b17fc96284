public import Testing

// `#expect` and `#require` take 14 ms of type checking and macros for each use, two minutes of a build in all: they
// keep every operand for the message. What these keep is what one reads: the place, and both values of a comparison.
// The place has four parameters, because `#_sourceLocation` is a macro too, of 1 ms.

/// Records an issue where `holds` is false.
public func expect(
  _ holds: Bool, _ comment: @autoclosure () -> Comment? = nil,
  file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
  if holds { return }
  let place = SourceLocation(fileID: file, filePath: path, line: line, column: column)
  Issue.record(comment() ?? "does not hold", sourceLocation: place)
}

/// Records an issue with both values where they differ.
public func equal<Value: Equatable>(
  _ value: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
  file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) {
  if value == expected { return }
  let place = SourceLocation(fileID: file, filePath: path, line: line, column: column)
  let remark = comment().map { "; \($0.rawValue)" } ?? ""
  Issue.record("\(shown(value)) in place of \(shown(expected))\(remark)", sourceLocation: place)
}

/// Ends the test where `holds` is false.
public func require(
  _ holds: Bool, _ comment: @autoclosure () -> Comment? = nil,
  file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) throws {
  if holds { return }
  let place = SourceLocation(fileID: file, filePath: path, line: line, column: column)
  try #require(holds, comment() ?? "does not hold", sourceLocation: place)
}

/// The value; ends the test where there is none.
public func required<Value>(
  _ value: Value?, _ comment: @autoclosure () -> Comment? = nil,
  file: String = #fileID, path: String = #filePath, line: Int = #line, column: Int = #column
) throws -> Value {
  if let value { return value }
  let place = SourceLocation(fileID: file, filePath: path, line: line, column: column)
  return try #require(value, comment() ?? "there is none", sourceLocation: place)
}

/// Texts with their quotes, so that an empty one and white space are seen.
private func shown(_ value: some Any) -> String {
  switch value {
  case let text as any StringProtocol: "“\(text)”"
  default: String(describing: value)
  }
}
