public import AppSeam
import SimKernel

/// What a person does with an app: an action of the protocol, for example `setReady` with `ready`
/// (Docs/Formats/app-seam.md has names and members).
public struct RoomAction {
  /// Which action it is.
  public let name: String
  private let members: [(name: String, value: Any)]

  public init(_ action: AppAction) {
    var collector = MemberCollector()
    func collect(_ statement: some AppStatement) {
      var copy = statement
      copy.visit(&collector)
    }
    collect(action.statement)
    name = collector.name
    members = collector.members
  }

  private func member<Value>(_ name: String) -> Value? { members.first { $0.name == name }?.value as? Value }

  /// A member that is a text; nil: it is absent, or something else.
  public func text(_ member: String) -> String? { self.member(member) }
  /// A member that is a whole number.
  public func int(_ member: String) -> Int? { self.member(member) }
  /// A member that is true or false.
  public func flag(_ member: String) -> Bool? { self.member(member) }
  /// A member that is a list of texts.
  public func texts(_ member: String) -> [String]? { self.member(member) }
}

/// Collects the members of a word by their names.
private struct MemberCollector: WordVisitor {
  typealias Failure = Never

  var name = ""
  var members: [(name: String, value: Any)] = []

  private mutating func add(_ name: StaticString, _ value: Any) { members.append((name.description, value)) }

  mutating func word(_ name: StaticString) { self.name = name.description }
  mutating func field(_ name: StaticString, _ value: inout String) { add(name, value) }
  mutating func field(_ name: StaticString, _ value: inout String?) { if let value { add(name, value) } }
  mutating func field(_ name: StaticString, _ value: inout Int64) { add(name, Int(value)) }
  mutating func field(_ name: StaticString, _ value: inout Bool) { add(name, value) }
  mutating func field(_ name: StaticString, _ value: inout [String]) { add(name, value) }
  mutating func field(_ name: StaticString, _ value: inout LinkID) { add(name, Int(value.rawValue)) }
  // No action of a person has records.
  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) {}
}
