package import BluetoothWire

/// The members of a word of the seam, read by name, in the notation of Docs/Formats/app-seam.md.
package protocol WordMembers {
  associatedtype Failure: Error

  /// Whether a member is there and not null.
  func has(_ name: String) -> Bool
  func text(_ name: String) throws(Failure) -> String
  func texts(_ name: String) throws(Failure) -> [String]
  func boolean(_ name: String) throws(Failure) -> Bool
  func number<Number: FixedWidthInteger>(_ name: String) throws(Failure) -> Number
  /// A number of something that is counted from 0, at most 2³¹ − 1.
  func index(_ name: String) throws(Failure) -> Int
  /// One of these words.
  func word<Word: RawRepresentable<String>>(_ name: String, _ words: [Word]) throws(Failure) -> Word
  /// A list of these words.
  func words<Word: RawRepresentable<String>>(_ name: String, _ words: [Word]) throws(Failure) -> [Word]
  func octets(_ name: String) throws(Failure) -> [UInt8]
  /// Octets of a TXT record.
  func record(_ name: String) throws(Failure) -> [UInt8]
  func uuid(_ name: String) throws(Failure) -> BluetoothUUID
  func uuids(_ name: String) throws(Failure) -> [BluetoothUUID]
  func addressBits(_ name: String) throws(Failure) -> UInt64
  /// A list of objects, each read by `read`.
  func objects<Element>(
    _ name: String, _ read: (Self) throws(Failure) -> Element
  ) throws(Failure) -> [Element]
}

extension WordMembers {
  /// The word of that name among those of a type; nil when it has none.
  /// - Parameters:
  ///   - roles: that a role may be; nil: any.
  ///   - isAction: whether the word is what a user does.
  package func typedWord<Statement: AppStatement>(
    _ name: String, among type: Statement.Type, roles: [AppRole]? = nil, isAction: Bool = false
  ) throws(Failure) -> Statement? {
    guard var statement = Statement.word(named: name) else { return nil }
    var reader = WordReader(members: self, roles: roles, isAction: isAction)
    try statement.visit(&reader)
    return statement
  }

  package func link() throws(Failure) -> LinkID { LinkID(try index("link")) }
  package func connection() throws(Failure) -> ConnectionID { ConnectionID(try index("connection")) }
  package func endpoint() throws(Failure) -> EndpointID { EndpointID(try index("endpoint")) }
  package func interfaces() throws(Failure) -> [NetworkInterface] {
    try words("interfaces", NetworkInterface.allCases)
  }
  private func interface() throws(Failure) -> NetworkInterface { try word("interface", NetworkInterface.allCases) }
  private func reason() throws(Failure) -> NetworkReason { try word("reason", NetworkReason.allCases) }

  /// The text of an address does not say its type. Peers of the bench have random static addresses, and it takes an
  /// address back by its 48 bits.
  private func address() throws(Failure) -> BluetoothAddress {
    BluetoothAddress(kind: .random, bits: try addressBits("address"))
  }

  /// What every platform tells; nil: the name is of another input.
  package func platformInput(_ name: String) throws(Failure) -> AppInput? {
    switch name {
    case "launched": .launched
    case "radioPower": .radioPower(try boolean("on"))
    case "background": .background(try boolean("suspended"))
    case "advertisingStarted": .advertisingStarted(try boolean("started"))
    case "discovered":
      .discovered(
        Advertisement(
          address: try address(), localName: has("localName") ? try text("localName") : nil,
          serviceUUIDs: try uuids("services"), rssi: try number("rssi")))
    case "connectFailed": .connectFailed(try address(), reason: HCI.ErrorCode(try number("reason")))
    case "timer": .timer(TimerID(try number("timer")))
    case "connected": .connected(try link(), peer: try address())
    case "disconnected": .disconnected(try link(), reason: HCI.ErrorCode(try number("reason")))
    case "attMTU": .attMTU(try link(), try number("attMTU"))
    case "readyToSend": .readyToSend(try link())
    default: try networkInput(name).map { .network($0) }
    }
  }

  private func networkInput(_ name: String) throws(Failure) -> NetworkInput? {
    switch name {
    case "net.listenerReady":
      .listenerReady(
        type: try text("type"), name: try text("instance"), port: Int(try number("port") as UInt16))
    case "net.listenerFailed": .listenerFailed(type: try text("type"), try reason())
    case "net.found":
      .found(
        try endpoint(), type: try text("type"), name: try text("instance"), interfaces: try interfaces(),
        record: has("record") ? try record("record") : [])
    case "net.recordChanged": .recordChanged(try endpoint(), record: try record("record"))
    case "net.changed": .changed(try endpoint(), interfaces: try interfaces())
    case "net.lost": .lost(try endpoint())
    case "net.incoming": .incoming(try connection(), try interface(), peer: try text("peer"))
    case "net.pathChanged": .pathChanged(try interfaces())
    case "net.ready": .ready(try connection(), try interface())
    case "net.waiting": .waiting(try connection(), try reason())
    case "net.failed": .failed(try connection(), try reason())
    case "net.received": .received(try connection(), octets: try octets("octets"))
    case "net.ended": .ended(try connection())
    case "net.submitted": .submitted(try connection(), accepted: try boolean("accepted"))
    case "net.room": .room(try connection())
    case "net.viable": .viable(try connection(), try boolean("viable"))
    case "net.betterPath": .betterPath(try connection(), try boolean("available"))
    case "net.cancelled": .cancelled(try connection())
    default: nil
    }
  }
}
