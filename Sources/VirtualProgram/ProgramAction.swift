import Foundation

/// What a person does with the app: an action of the protocol, for example `setReady` with `ready`.
public struct ProgramAction {
  /// Which action it is.
  public let name: String
  private let members: LineMembers

  init(_ members: LineMembers) throws(ProgramEnd) {
    name = try members.text("action")
    self.members = members
  }

  /// A member that is a text; nil: it is absent, null, or something else.
  public func text(_ member: String) -> String? { members.values[member] as? String }
  /// A member that is a whole number; beyond 2^53 the bench writes it as a text of digits.
  public func int(_ member: String) -> Int? {
    if let digits = members.values[member] as? String { return Int(digits) }
    return members.values[member] as? Int
  }
  /// A member that is true or false.
  public func flag(_ member: String) -> Bool? { members.values[member] as? Bool }
  /// A member that is a list of texts.
  public func texts(_ member: String) -> [String]? { members.values[member] as? [String] }
}
