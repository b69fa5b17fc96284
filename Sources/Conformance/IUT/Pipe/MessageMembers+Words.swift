import AppSeam
import Bench

extension MessageMembers {
  /// The word of that name among those of a protocol; nil when it has none.
  private func typedWord<Statement: AppStatement>(
    _ name: String, among type: Statement.Type, of app: any SimulatedApp
  ) throws(MessageProblem) -> Statement? {
    guard var statement = Statement.word(named: name) else { return nil }
    var reader = MessageWordReader(members: self, roles: app.roles.map(\.role))
    try statement.visit(&reader)
    return statement
  }

  /// As above, where the protocol is known as a value only.
  func word(
    _ name: String, among type: any AppStatement.Type, of app: any SimulatedApp
  ) throws(MessageProblem) -> (any AppStatement)? {
    func open<Statement: AppStatement>(_ type: Statement.Type) throws(MessageProblem) -> (any AppStatement)? {
      try typedWord(name, among: type, of: app)
    }
    return try open(type)
  }

  /// A record of that kind.
  func record<Record: WordRecord>(like empty: Record, roles: [AppRole]) throws(MessageProblem) -> Record {
    var record = empty
    var reader = MessageWordReader(members: self, roles: roles)
    try record.visit(&reader)
    return record
  }
}

/// Puts the members of a message into the fields of a word.
private struct MessageWordReader: WordVisitor {
  typealias Failure = MessageProblem

  let members: MessageMembers
  let roles: [AppRole]

  mutating func word(_ name: StaticString) {}

  mutating func field(_ name: StaticString, _ value: inout String) throws(MessageProblem) {
    value = try members.text(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout String?) throws(MessageProblem) {
    value = try members.optionalText(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout Int64) throws(MessageProblem) {
    value = try members.integer(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout Bool) throws(MessageProblem) {
    value = try members.boolean(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout [String]) throws(MessageProblem) {
    value = try members.texts(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout LinkID) throws(MessageProblem) {
    value = LinkID(try members.int(name.description, 0...Int64(Int32.max)))
  }

  mutating func field(_ name: StaticString, _ value: inout AppRole) throws(MessageProblem) {
    value = try members.word(name.description, roles)
  }

  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) throws(MessageProblem) {
    value = try members.objects(name.description) { (entry) throws(MessageProblem) in
      try entry.record(like: Record.empty, roles: roles)
    }
  }
}
