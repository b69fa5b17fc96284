/// One thing that is wrong with a scenario, as a line a person can act on.
public struct ScenarioProblem: Hashable, Sendable {
  public var file: String
  public var location: SourceLocation
  /// What is wrong; what to write instead.
  public var message: String

  public init(file: String, location: SourceLocation, message: String) {
    self.file = file
    self.location = location
    self.message = message
  }
}

extension ScenarioProblem: CustomStringConvertible {
  /// `file:line:column: message`, or `error: --set #n: message` for an override.
  public var description: String {
    location.line == 0
      ? "error: --set #\(location.column): \(message)" : "\(file):\(location.line):\(location.column): \(message)"
  }
}

/// Why a scenario was refused: at least one problem, in the order of the file.
public struct ScenarioProblems: Error, Hashable, Sendable {
  /// At most `limit`.
  public var list: [ScenarioProblem]
  /// Further problems that are not listed.
  public var omitted: Int

  /// More than this nobody reads.
  public static let limit = 20

  public init(list: [ScenarioProblem], omitted: Int = 0) {
    self.list = list
    self.omitted = omitted
  }
}

extension ScenarioProblems: CustomStringConvertible {
  /// One line per problem.
  public var description: String {
    var lines = list.map(\.description)
    if omitted > 0 { lines.append("and \(omitted) more") }
    return lines.joined(separator: "\n")
  }
}
