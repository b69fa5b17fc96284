public import Testing

// `#expect` takes 14 ms of type checking and macros for each use, two minutes of a build in all: it keeps every operand
// for the message. What these keep is what one reads: the place, and both values of a comparison.

/// Records an issue where `holds` is false.
public func expect(
  _ holds: Bool, _ comment: @autoclosure () -> Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
  if !holds { Issue.record(comment() ?? "does not hold", sourceLocation: sourceLocation) }
}

/// Records an issue with both values where they differ.
public func equal<Value: Equatable>(
  _ value: Value, _ expected: Value, _ comment: @autoclosure () -> Comment? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  guard value != expected else { return }
  let remark = comment().map { "; \($0.rawValue)" } ?? ""
  Issue.record("\(shown(value)) in place of \(shown(expected))\(remark)", sourceLocation: sourceLocation)
}

/// Texts with their quotes, so that an empty one and white space are seen.
private func shown(_ value: some Any) -> String {
  switch value {
  case let text as any StringProtocol: "“\(text)”"
  default: String(describing: value)
  }
}
