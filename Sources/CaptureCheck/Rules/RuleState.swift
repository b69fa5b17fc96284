import BluetoothWire
import SimKernel

/// What a rule remembers of every link that is up. A link that has closed, and whose place another one has taken, is
/// as good as new.
struct PerLink<State> {
  /// By `TrafficLink.slot`; place 0 is for closed links.
  private var states: [State] = []
  private var owners: [Int] = []
  private let fresh: State

  init(_ fresh: State) { self.fresh = fresh }

  subscript(link: TrafficLink) -> State {
    @inline(__always) mutating get { states[place(link)] }
    @inline(__always) _modify {
      let place = place(link)
      yield &states[place]
    }
  }

  @inline(__always)
  private mutating func place(_ link: TrafficLink) -> Int {
    let slot = link.slot
    return slot < owners.count && owners[slot] == link.index ? slot : claim(link)
  }

  private mutating func claim(_ link: TrafficLink) -> Int {
    let slot = link.isUp ? link.slot : 0
    if slot >= owners.count {
      states += repeatElement(fresh, count: slot + 1 - states.count)
      owners += repeatElement(-1, count: slot + 1 - owners.count)
    }
    assert(!link.isUp || slot > 0, "place 0 is for closed links")
    states[slot] = fresh
    owners[slot] = link.isUp ? link.index : -1
    return slot
  }
}

/// One value for each end of a link.
struct PerSide<Value> {
  var central: Value
  var peripheral: Value

  init(_ value: Value) {
    central = value
    peripheral = value
  }

  subscript(isCentral isCentral: Bool) -> Value {
    @inline(__always) _read { if isCentral { yield central } else { yield peripheral } }
    @inline(__always) _modify { if isCentral { yield &central } else { yield &peripheral } }
  }
}

extension ArraySlice<UInt8> {
  /// The octet at an offset from the slice's start; the caller has looked at the count.
  @inline(__always)
  func octet(at offset: Int) -> UInt8 { self[startIndex &+ offset] }

  /// Two octets at an offset from the slice's start, least significant first; the caller has looked at the count.
  @inline(__always)
  func word(at offset: Int) -> UInt16 {
    let start = startIndex &+ offset
    return UInt16(self[start]) | UInt16(self[start &+ 1]) << 8
  }
}

extension TrafficPDU {
  @inline(__always)
  var count: Int { octets.count }
  /// The opcode of an ATT PDU that is not empty.
  @inline(__always)
  var opcode: UInt8 { octets[octets.startIndex] }
  @inline(__always)
  func octet(at offset: Int) -> UInt8 { octets.octet(at: offset) }
  @inline(__always)
  func word(at offset: Int) -> UInt16 { octets.word(at: offset) }

  /// For people.
  var sender: String { RuleText.side(fromCentral: fromCentral) }
}

/// Words for people.
enum RuleText {
  /// Waits that are longer are taken for a clock that was set.
  static let longestWait = SimDuration.seconds(600)

  static func opcode(_ value: UInt8) -> String {
    guard let name = attNames.first(where: { $0.opcode == value })?.name else {
      return "an ATT PDU of opcode \(hexNumber(value, digits: 2))"
    }
    return name
  }

  /// `30.5 s`, cut to milliseconds.
  static func seconds(_ duration: SimDuration) -> String {
    let milliseconds = duration.nanoseconds / 1_000_000
    let rest = String(milliseconds.magnitude % 1_000 + 1_000).dropFirst()
    return "\(milliseconds / 1_000).\(rest) s"
  }

  static func handle(_ value: UInt16) -> String { hexNumber(value, digits: 4) }

  static func side(fromCentral: Bool) -> String { fromCentral ? "the central" : "the peripheral" }

  /// As Core v5.4, Vol 3, Part F, 3.4.8 names them.
  private static let attNames: [(opcode: UInt8, name: String)] = [
    (0x01, "ATT_ERROR_RSP"), (0x02, "ATT_EXCHANGE_MTU_REQ"), (0x03, "ATT_EXCHANGE_MTU_RSP"),
    (0x04, "ATT_FIND_INFORMATION_REQ"), (0x05, "ATT_FIND_INFORMATION_RSP"),
    (0x06, "ATT_FIND_BY_TYPE_VALUE_REQ"), (0x07, "ATT_FIND_BY_TYPE_VALUE_RSP"), (0x08, "ATT_READ_BY_TYPE_REQ"),
    (0x09, "ATT_READ_BY_TYPE_RSP"), (0x0A, "ATT_READ_REQ"), (0x0B, "ATT_READ_RSP"), (0x0C, "ATT_READ_BLOB_REQ"),
    (0x0D, "ATT_READ_BLOB_RSP"), (0x0E, "ATT_READ_MULTIPLE_REQ"), (0x0F, "ATT_READ_MULTIPLE_RSP"),
    (0x10, "ATT_READ_BY_GROUP_TYPE_REQ"), (0x11, "ATT_READ_BY_GROUP_TYPE_RSP"), (0x12, "ATT_WRITE_REQ"),
    (0x13, "ATT_WRITE_RSP"), (0x16, "ATT_PREPARE_WRITE_REQ"), (0x17, "ATT_PREPARE_WRITE_RSP"),
    (0x18, "ATT_EXECUTE_WRITE_REQ"), (0x19, "ATT_EXECUTE_WRITE_RSP"), (0x1B, "ATT_HANDLE_VALUE_NTF"),
    (0x1D, "ATT_HANDLE_VALUE_IND"), (0x1E, "ATT_HANDLE_VALUE_CFM"), (0x20, "ATT_READ_MULTIPLE_VARIABLE_REQ"),
    (0x21, "ATT_READ_MULTIPLE_VARIABLE_RSP"), (0x23, "ATT_MULTIPLE_HANDLE_VALUE_NTF"), (0x52, "ATT_WRITE_CMD"),
    (0xD2, "ATT_SIGNED_WRITE_CMD"),
  ]
}
