import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// One packet that a lower tester heard, or octets that should have been one.
struct Heard {
  var instant: SimInstant
  var record: Int
  var link: LinkID
  var octets: [UInt8]
  /// Nil when the octets are no packet; `problem` says why.
  var packet: BabPacket?
  var problem: String?
  /// How many values it came in, and the largest.
  var fragments: Int
  /// The bench made it for the implementation.
  var isAssumed = false

  var type: PacketType? { packet?.payload.type }
}

/// One value, unchanged.
struct HeardValue {
  var instant: SimInstant
  var record: Int
  var link: LinkID
  var characteristic: BluetoothUUID
  var octets: [UInt8]
}

/// One end of a link in the hands of a lower tester: its outgoing queue, and what came in.
final class TesterLink {
  enum Path { case notify, write, writeWithoutResponse }

  private enum Waiting { case nothing, answer, room }

  let id: LinkID
  let peer: BluetoothAddress
  var attMTU = 23
  var isSubscribed = false
  var endedAt: SimInstant?
  var endReason: HCI.ErrorCode?
  var isUp: Bool { endedAt == nil }

  /// Values that wait to be sent, oldest first.
  private(set) var outbox: [[UInt8]] = []
  private var waiting = Waiting.nothing
  private(set) var valuesSent = 0
  /// Errors the peer answered writes with.
  private(set) var writeErrors: [UInt8] = []
  var nextPacketID: UInt16 = 0
  var reassembler: Reassembler

  init(id: LinkID, peer: BluetoothAddress, framing: Framing) {
    self.id = id
    self.peer = peer
    reassembler = Reassembler(framing: framing)
  }

  /// All that was queued is sent, and answered where there is an answer.
  var isFlushed: Bool { outbox.isEmpty && waiting == .nothing }

  func enqueue(_ values: [[UInt8]]) { outbox += values }

  /// The next value to hand to the platform, if it may have one.
  func next(_ path: Path, _ characteristic: BluetoothUUID) -> AppEffect? {
    guard isUp, waiting == .nothing, let octets = outbox.first else { return nil }
    waiting = .answer
    return switch path {
    case .notify: .notify(id, characteristic: characteristic, octets: octets)
    case .write: .write(id, characteristic: characteristic, octets: octets)
    case .writeWithoutResponse: .writeWithoutResponse(id, characteristic: characteristic, octets: octets)
    }
  }

  /// The platform's answer to `next`.
  func answered(accepted: Bool) {
    guard waiting == .answer else { return }
    guard accepted else {
      waiting = .room
      return
    }
    waiting = .nothing
    outbox.removeFirst()
    valuesSent += 1
  }

  /// A write's answer; a refused value is not repeated.
  func written(error: UInt8?) {
    answered(accepted: true)
    if let error { writeErrors.append(error) }
  }

  func hasRoom() { if waiting == .room { waiting = .nothing } }

  func close(at instant: SimInstant, reason: HCI.ErrorCode) {
    endedAt = instant
    endReason = reason
    outbox.removeAll()
    waiting = .nothing
  }
}
