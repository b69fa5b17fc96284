import AppSeam
import BluetoothWire

/// Reading inputs, in the notation of Docs/Formats/app-seam.md.
extension LineMembers {
  /// What the platform tells.
  func input() throws(ProgramEnd) -> AppInput {
    let name = try text("name")
    switch name {
    case "launched": return .launched
    case "radioPower": return .radioPower(try flag("on"))
    case "background": return .background(try flag("suspended"))
    case "advertisingStarted": return .advertisingStarted(try flag("started"))
    case "discovered":
      return .discovered(
        Advertisement(
          address: try address(), localName: has("localName") ? try text("localName") : nil,
          serviceUUIDs: try uuids("services"), rssi: try int("rssi")))
    case "timer": return .timer(TimerID(try int("timer")))
    case "connectFailed": return .connectFailed(try address(), reason: HCI.ErrorCode(try number("reason")))
    case "connected": return .connected(try link(), peer: try address())
    case "disconnected": return .disconnected(try link(), reason: HCI.ErrorCode(try number("reason")))
    case "attMTU": return .attMTU(try link(), try int("attMTU"))
    case "readyToSend": return .readyToSend(try link())
    default: return try wordInput(name)
    }
  }

  private func wordInput(_ name: String) throws(ProgramEnd) -> AppInput {
    if let word: GATTInput = try word(name) { return .gatt(word) }
    if let word: GAPInput = try word(name) { return .gap(word) }
    if let word: ChannelInput = try word(name) { return .channel(word) }
    if let word = try networkInput(name) { return .network(word) }
    throw .notInProtocol("name: \"\(name)\" is no input of a phone")
  }

  func word<Statement: AppStatement>(_ name: String) throws(ProgramEnd) -> Statement? {
    guard var statement = Statement.word(named: name) else { return nil }
    var reader = WordReader(members: self)
    try statement.visit(&reader)
    return statement
  }
}

/// Puts the members of a line into the fields of a word.
private struct WordReader: WordVisitor {
  typealias Failure = ProgramEnd

  let members: LineMembers

  mutating func word(_ name: StaticString) {}

  mutating func field(_ name: StaticString, _ value: inout String) throws(ProgramEnd) {
    value = try members.text(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout String?) throws(ProgramEnd) {
    value = members.has(name.description) ? try members.text(name.description) : nil
  }

  mutating func field(_ name: StaticString, _ value: inout Int64) throws(ProgramEnd) {
    value = try members.number(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout Bool) throws(ProgramEnd) {
    value = try members.flag(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout [String]) throws(ProgramEnd) {
    value = try members.texts(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout LinkID) throws(ProgramEnd) {
    value = try members.link(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout UInt8) throws(ProgramEnd) {
    value = try members.number(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout UInt16) throws(ProgramEnd) {
    value = try members.number(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout UInt8?) throws(ProgramEnd) {
    value = members.has(name.description) ? try members.number(name.description) : nil
  }

  mutating func field(_ name: StaticString, _ value: inout [UInt8]) throws(ProgramEnd) {
    value = try members.octets(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout [UInt8]?) throws(ProgramEnd) {
    value = members.has(name.description) ? try members.octets(name.description) : nil
  }

  mutating func field(_ name: StaticString, _ value: inout BluetoothUUID) throws(ProgramEnd) {
    value = try members.uuid(name.description)
  }

  mutating func field(_ name: StaticString, _ value: inout [BluetoothUUID]) throws(ProgramEnd) {
    value = try members.uuids(name.description)
  }

  mutating func records<Record: WordRecord>(_ name: StaticString, _ value: inout [Record]) throws(ProgramEnd) {
    value = try members.objects(name.description) { (entry) throws(ProgramEnd) in
      var record = Record.empty
      var reader = WordReader(members: entry)
      try record.visit(&reader)
      return record
    }
  }
}
