package import AppSeam
package import BluetoothWire

/// A connection as the platform knows it for an app.
package final class AppLink {
  package let id: LinkID
  let handle: HCI.ConnectionHandle
  package let peer: BluetoothAddress
  /// The device at the other end; nil for a stranger.
  package let peerDevice: Int?
  let role: HCI.Role
  package internal(set) var attMTU = 23
  /// An exchange has ended, whatever came of it.
  var hasExchangedMTU = false
  /// Writes whose answer is out, oldest first.
  var writes: [PendingWrite] = []
  /// What was asked about attributes of the other end and has no answer yet, oldest first.
  private var questions: [(tag: Int, question: AttributeQuestion)] = []
  private var lastTag = 0
  /// What was refused while the link is not encrypted, and is made again.
  var unsecured: [UnsecuredRequest] = []
  /// The app has asked to pair, and has no answer yet.
  var asksToPair = false
  /// The two ends are pairing, whoever began.
  var isPairing = false
  /// 1: LE 1M; 2: LE 2M; 3: LE Coded.
  var phys: (tx: UInt8, rx: UInt8) = (1, 1)
  /// Questions of `gap.preferPHY` that have no answer yet.
  var physAsked = 0
  /// What the app has asked for and has no answer yet, where the phone takes one operation at a time.
  var operation: FailingOperation?
  /// Why it ends, where the app is told something else than the controller says.
  var endReason: HCI.ErrorCode?
  /// A discovery was answered by what is known from an earlier link.
  var usesCache = false
  /// That has shown to be wrong.
  var isKnownStale = false
  /// The platform has looked for Service Changed.
  var watchesServices = false

  init(id: LinkID, handle: HCI.ConnectionHandle, peer: BluetoothAddress, peerDevice: Int?, role: HCI.Role) {
    self.id = id
    self.handle = handle
    self.peer = peer
    self.peerDevice = peerDevice
    self.role = role
  }

  /// A number that no call to the host stack had before; from 1.
  func nextTag() -> Int {
    lastTag += 1
    return lastTag
  }

  /// Keeps a question until its answer comes, which has the same tag.
  func keep(_ question: AttributeQuestion) -> Int {
    let tag = nextTag()
    questions.append((tag, question))
    return tag
  }

  /// The question that has its answer now.
  func question(_ tag: Int) -> AttributeQuestion? {
    questions.firstIndex { $0.tag == tag }.map { questions.remove(at: $0).question }
  }
}

/// What was asked about attributes of the other end, with what the answer does not say.
enum AttributeQuestion: Hashable {
  /// The services of these types; none: all.
  case services([BluetoothUUID])
  case included(FoundService)
  case characteristics(FoundService)
  case descriptors(FoundCharacteristic)
  /// A read, of an attribute of this type.
  case read(BluetoothUUID)
  case prepare(BluetoothUUID, [UInt8])
  case configure(BluetoothUUID)
  /// The platform looks for Service Changed, and subscribes to it.
  case ownCharacteristics, ownConfigure
}

/// A write whose answer the app has not seen; `tag` is that of the call, 0 for writes by type.
struct PendingWrite: Equatable {
  var content: PendingContent
  var tag = 0
}

enum PendingContent: Equatable {
  case ofApp(Value)
  /// A broken stack's own, whose answer the app must not see.
  case echo
  /// It never came to the stack: the app sees this end when its turn comes.
  case ended(Value, error: UInt8?)
}
