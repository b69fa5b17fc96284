import Judging

/// How a program broke down, as all reports show it: the place of its crash first.
public struct Breakdown {
  private let failure: IUTFailure

  public init(_ failure: IUTFailure) { self.failure = failure }

  /// What there is to show beyond the finding, each with its name; several lines of standard error have it once each.
  public var rows: [(name: String, text: String)] {
    var rows: [(name: String, text: String)] = []
    if let crash = failure.crash { rows.append(("crash", crash.words)) }
    if let ending = failure.ending { rows.append(("end", ending.words)) }
    if let output = failure.lastOutput { rows.append(("last output", output)) }
    return rows + failure.errorLines.map { ("stderr", $0) }
  }

  var lines: [String] { rows.map { "\($0.name): \($0.text)" } }

  /// For the template of the page.
  var pageValues: [String: Any] {
    var values: [String: Any] = [:]
    if let crash = failure.crash { values["crash"] = ["place": crash.place, "text": crash.text] }
    values["end"] = failure.ending?.words
    values["output"] = failure.lastOutput
    if !failure.errorLines.isEmpty { values["errors"] = failure.errorLines.joined(separator: "\n") }
    return values
  }
}

extension JSONText {
  /// The member `breakdown` of a case.
  mutating func suiteBreakdown(_ failure: IUTFailure?) {
    key("breakdown")
    guard let failure else { return null() }
    beginObject()
    member("kind", failure.kind.rawValue)
    member("detail", failure.detail)
    key("exitCode")
    if case .exitCode(let code) = failure.ending { value(code) } else { null() }
    key("signal")
    if case .signal(let name) = failure.ending { value(name) } else { null() }
    key("crash")
    if let crash = failure.crash {
      beginObject()
      member("file", crash.file)
      member("line", crash.line)
      member("text", crash.text)
      endObject()
    } else {
      null()
    }
    member("lastOutput", failure.lastOutput)
    member("standardError", failure.errorLines)
    endObject()
  }
}
