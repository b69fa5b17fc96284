import AppSeam
import Bench
import BluetoothWire

extension MessageMembers {
  /// The word of that name among those of a protocol; nil when it has none.
  func typedWord<Statement: AppStatement>(
    _ name: String, among type: Statement.Type, of app: any SimulatedApp, isAction: Bool
  ) throws(MessageProblem) -> Statement? {
    guard var statement = Statement.word(named: name) else { return nil }
    var reader = MessageWordReader(members: self, roles: app.roles.map(\.role), isAction: isAction)
    try statement.visit(&reader)
    return statement
  }

  /// As above, where the protocol is known as a value only.
  func word(
    _ name: String, among type: any AppStatement.Type, of app: any SimulatedApp, isAction: Bool = false
  ) throws(MessageProblem) -> (any AppStatement)? {
    func open<Statement: AppStatement>(_ type: Statement.Type) throws(MessageProblem) -> (any AppStatement)? {
      try typedWord(name, among: type, of: app, isAction: isAction)
    }
    return try open(type)
  }

  /// What a phone keeps; it has no defect.
  func memory(of app: any SimulatedApp) throws(MessageProblem) -> AppMemory {
    let name = try text("name")
    guard let memory = try typedWord(name, among: AppMemory.self, of: app, isAction: false) else {
      throw MessageProblem(place: "name", reason: "\"\(name)\", where memory is needed")
    }
    if let defect = memory.defect { throw MessageProblem(place: "", reason: defect) }
    return memory
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
  let isAction: Bool
  /// Whether the members are a line's, which has some of its own.
  private var isLine = false

  init(members: MessageMembers, roles: [AppRole], isAction: Bool = false) {
    self.members = members
    self.roles = roles
    self.isAction = isAction
  }

  mutating func word(_ name: StaticString) { isLine = true }

  private func member(_ field: StaticString) -> String {
    (isLine ? WordMember.name(of: field, isAction: isAction) : field).description
  }

  mutating func field(_ name: StaticString, _ value: inout String) throws(MessageProblem) {
    value = try members.text(member(name))
  }

  mutating func field(_ name: StaticString, _ value: inout String?) throws(MessageProblem) {
    value = try members.optionalText(member(name))
  }

  mutating func field(_ name: StaticString, _ value: inout Int64) throws(MessageProblem) {
    value = try members.integer(member(name))
  }

  mutating func field(_ name: StaticString, _ value: inout Bool) throws(MessageProblem) {
    value = try members.boolean(member(name))
  }

  mutating func field(_ name: StaticString, _ value: inout [String]) throws(MessageProblem) {
    value = try members.texts(member(name))
  }

  mutating func field(_ name: StaticString, _ value: inout LinkID) throws(MessageProblem) {
    value = LinkID(try members.int(member(name), 0...Int64(Int32.max)))
  }

  mutating func field(_ name: StaticString, _ value: inout AppRole) throws(MessageProblem) {
    value = try members.word(member(name), roles)
  }

  mutating func field(_ name: StaticString, _ value: inout UInt8) throws(MessageProblem) {
    value = try members.octet(member(name))
  }

  mutating func field(_ name: StaticString, _ value: inout UInt16) throws(MessageProblem) {
    value = UInt16(try members.int(member(name), 0...65_535))
  }

  mutating func field(_ name: StaticString, _ value: inout UInt8?) throws(MessageProblem) {
    value = members.optional(member(name)) == nil ? nil : try members.octet(member(name))
  }

  mutating func field(_ name: StaticString, _ value: inout [UInt8]) throws(MessageProblem) {
    value = try members.octets(member(name))
  }

  mutating func field(_ name: StaticString, _ value: inout [UInt8]?) throws(MessageProblem) {
    value = members.optional(member(name)) == nil ? nil : try members.octets(member(name))
  }

  mutating func field(_ name: StaticString, _ value: inout BluetoothUUID) throws(MessageProblem) {
    value = try members.uuid(member(name))
  }

  mutating func field(_ name: StaticString, _ value: inout [BluetoothUUID]) throws(MessageProblem) {
    value = try members.uuids(member(name))
  }

  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) throws(MessageProblem) {
    value = try members.objects(member(name)) { (entry) throws(MessageProblem) in
      try entry.record(like: Record.empty, roles: roles)
    }
  }
}
