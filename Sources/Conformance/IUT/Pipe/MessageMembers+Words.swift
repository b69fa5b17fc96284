import AppSeam
import Bench
import BluetoothWire

extension MessageMembers {
  /// The word of that name among those of a protocol; nil when it has none.
  func typedWord<Statement: AppStatement>(
    _ name: String, among type: Statement.Type, of app: any SimulatedApp, isAction: Bool
  ) throws(MessageProblem) -> Statement? {
    try typedWord(name, among: type, roles: app.roles.map(\.role), isAction: isAction)
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
    var reader = WordReader(members: self, roles: roles)
    try record.visit(&reader)
    return record
  }
}
