package import BluetoothWire

/// Puts members into the fields of a word.
package struct WordReader<Members: WordMembers>: WordVisitor {
  package typealias Failure = Members.Failure

  let members: Members
  let roles: [AppRole]?
  let isAction: Bool
  /// Whether the members are a line's, which has some of its own.
  private var isLine = false

  package init(members: Members, roles: [AppRole]?, isAction: Bool = false) {
    self.members = members
    self.roles = roles
    self.isAction = isAction
  }

  package mutating func word(_ name: StaticString) { isLine = true }

  private func member(_ field: StaticString) -> String {
    (isLine ? WordMember.name(of: field, isAction: isAction) : field).description
  }

  private func optional<Value>(
    _ field: StaticString, _ read: (String) throws(Failure) -> Value
  ) throws(Failure) -> Value? {
    members.has(member(field)) ? try read(member(field)) : nil
  }

  package mutating func field(_ name: StaticString, _ value: inout String) throws(Failure) {
    value = try members.text(member(name))
  }

  package mutating func field(_ name: StaticString, _ value: inout String?) throws(Failure) {
    value = try optional(name, members.text)
  }

  package mutating func field(_ name: StaticString, _ value: inout Int64) throws(Failure) {
    value = try members.number(member(name))
  }

  package mutating func field(_ name: StaticString, _ value: inout Bool) throws(Failure) {
    value = try members.boolean(member(name))
  }

  package mutating func field(_ name: StaticString, _ value: inout [String]) throws(Failure) {
    value = try members.texts(member(name))
  }

  package mutating func field(_ name: StaticString, _ value: inout LinkID) throws(Failure) {
    value = LinkID(try members.index(member(name)))
  }

  package mutating func field(_ name: StaticString, _ value: inout AppRole) throws(Failure) {
    value =
      if let roles { try members.word(member(name), roles) } else { AppRole(rawValue: try members.text(member(name))) }
  }

  package mutating func field(_ name: StaticString, _ value: inout UInt8) throws(Failure) {
    value = try members.number(member(name))
  }

  package mutating func field(_ name: StaticString, _ value: inout UInt16) throws(Failure) {
    value = try members.number(member(name))
  }

  package mutating func field(_ name: StaticString, _ value: inout UInt8?) throws(Failure) {
    value = try optional(name, members.number)
  }

  package mutating func field(_ name: StaticString, _ value: inout [UInt8]) throws(Failure) {
    value = try members.octets(member(name))
  }

  package mutating func field(_ name: StaticString, _ value: inout [UInt8]?) throws(Failure) {
    value = try optional(name, members.octets)
  }

  package mutating func field(_ name: StaticString, _ value: inout BluetoothUUID) throws(Failure) {
    value = try members.uuid(member(name))
  }

  package mutating func field(_ name: StaticString, _ value: inout [BluetoothUUID]) throws(Failure) {
    value = try members.uuids(member(name))
  }

  package mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) throws(Failure) {
    let roles = roles
    value = try members.objects(member(name)) { (entry) throws(Failure) in
      var record = Record.empty
      var reader = WordReader(members: entry, roles: roles)
      try record.visit(&reader)
      return record
    }
  }
}
