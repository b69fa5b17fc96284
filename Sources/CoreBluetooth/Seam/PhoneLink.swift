import AppSeam
import BluetoothWire

/// A link of the phone, in whichever roles its app uses it.
final class PhoneLink {
  let id: LinkID
  let peer: BluetoothAddress
  /// This phone asked for it; the other end may have, too.
  let isOurs: Bool
  var attMTU = 23
  /// Numbers of the central managers that hold it, in order.
  var holders: [Int] = []
  /// The other end has answered; before that the app is not told of a link that the phone makes.
  var isEstablished: Bool
  /// The app has cancelled the connection.
  var isEnding = false
  /// Subscriptions of the central at the other end, oldest first.
  var subscriptions: [AttributeKey] = []
  var notifications = Outbox<AttributeKey>()
  var writes = Outbox<ATT.Handle>()
  /// UUIDs of services that were found at the other end.
  var foundServices: [BluetoothUUID] = []

  init(id: LinkID, peer: BluetoothAddress, isOurs: Bool) {
    self.id = id
    self.peer = peer
    self.isOurs = isOurs
    isEstablished = !isOurs
  }
}

/// Values on their way to the stack of one link, which may refuse them.
///
/// The app is told at once whether a value is taken, while the seam tells it later: a value that was taken and then
/// refused waits here, and nothing more is taken until there is room.
struct Outbox<Attribute: Hashable> {
  struct Item: Hashable {
    var attribute: Attribute
    var type: BluetoothUUID
    var octets: [UInt8]
  }

  private var unanswered: [Item] = []
  private var waiting: [Item] = []
  private var isBlocked = false
  /// The app was told “no”, and has to be told when there is room.
  var owesReady = false

  func hasRoom(depth: Int) -> Bool { !isBlocked && waiting.isEmpty && unanswered.count < depth }

  /// Nothing is on its way: who was refused may be told.
  var isIdle: Bool { !isBlocked && waiting.isEmpty && unanswered.isEmpty }

  /// The value goes to the stack.
  mutating func sent(_ item: Item) { unanswered.append(item) }

  /// The stack's answer to the oldest one; what is refused and not wanted any more is dropped.
  mutating func answered(accepted: Bool, isWanted: (Attribute) -> Bool) {
    guard !unanswered.isEmpty else { return }
    let item = unanswered.removeFirst()
    guard !accepted, isWanted(item.attribute) else { return }
    isBlocked = true
    waiting.append(item)
  }

  /// The stack has room again: what has to be sent now.
  mutating func unblocked() -> [Item] {
    isBlocked = false
    let items = waiting
    waiting = []
    return items
  }

  /// The subscription has ended, or the attribute is gone.
  mutating func forget(_ attribute: Attribute) {
    guard !waiting.isEmpty else { return }
    waiting.removeAll { $0.attribute == attribute }
    // Nothing that was refused is left, so that no word of room would come for it.
    if waiting.isEmpty { isBlocked = false }
  }
}

/// A connection that the app waits for.
struct ConnectionAttempt {
  var manager: Int
  var peer: BluetoothAddress
}

/// An answer that a peripheral of the app waits for.
struct PendingAnswer {
  enum Kind: Hashable {
    case services
    case included(ATT.Handle)
    case characteristics(ATT.Handle)
    case descriptors(ATT.Handle)
    case read(ATT.Handle)
    case write(ATT.Handle)
    case configure(ATT.Handle)
    case rssi
    case channel(UInt16)
  }

  var link: LinkID
  var kind: Kind
  /// What the app has asked for; nil: everything.
  var types: [BluetoothUUID]?
  weak var peripheral: CBPeripheral?
}

/// A channel, and who uses it.
struct OpenChannel {
  var id: ChannelID
  var link: LinkID
  var channel: CBL2CAPChannel
  weak var manager: CBManager?
}
