import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// An implementation that sends and takes JSON without fragments, and the bench's fragments around it.
///
/// A value that begins an object is gathered with those after it until its braces are closed, and cut as BAB 3 asks;
/// the implementation is told that they went out. Other values pass as they are. What its peer sends is put together
/// and handed to it whole, as one value; as long as it has sent nothing, after the fragments, for it may take those.
final class ReframedEngine: AppEngine {
  private struct Side {
    var link: LinkID
    var fromPeer: Reassembler
    var gathered: [UInt8] = []
    /// It sends values that begin an object; nil before its first value.
    var isBare: Bool?
  }

  /// An object that is longer is none (BAB 4.41).
  private static let longestText = 262_144

  private let inner: any AppEngine
  private let dialect: Dialect
  private let assumption: Assumption
  private var ledger = AnswerLedger()
  private var sender: PacketSender
  private var sides: [Side] = []
  private var effects: [AppEffect] = []
  private var now = SimInstant.zero

  init(wrapping inner: any AppEngine, _ dialect: Dialect, isHost: Bool, _ assumption: Assumption) {
    self.inner = inner
    self.assumption = assumption
    self.dialect = dialect
    sender = PacketSender(path: isHost ? .notify : .write, dialect: dialect)
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    self.now = now
    receive(input)
    defer { effects = [] }
    return effects
  }

  private func receive(_ input: AppInput) {
    switch input {
    case .connected(let link, _):
      sides.append(Side(link: link, fromPeer: Reassembler(framing: .framed)))
      sender.open(link)
    case .disconnected(let link, _):
      sides.removeAll { $0.link == link }
      sender.close(link)
    case .attMTU(let link, let attMTU): sender.setATTMTU(attMTU, link)
    case .submitted(let link, _, let accepted) where ledger.isForLayer(input):
      return layer { _ = sender.submitted(link, accepted: accepted, &$0) }
    case .writeCompleted(let link, _, _) where ledger.isForLayer(input):
      return layer { _ = sender.writeCompleted(link, &$0) }
    case .readyToSend(let link): layer { sender.readyToSend(link, &$0) }
    case .subscribed(let link, dialect.state.uuid, let isOn): layer { sender.setReady(isOn, link, &$0) }
    case .valueReceived(let link, let characteristic, let octets): return received(link, characteristic, octets)
    default: break
    }
    feed(input)
  }

  private func received(_ link: LinkID, _ characteristic: BluetoothUUID, _ octets: [UInt8]) {
    guard let place = sides.firstIndex(where: { $0.link == link }) else { return }
    let isBare = sides[place].isBare
    if isBare != true { feed(.valueReceived(link, characteristic: characteristic, octets: octets)) }
    guard isBare != false, let text = sides[place].fromPeer.receive(octets, at: now).packet else { return }
    // What it makes of values that are not in its way to speak is not judged.
    assumption.keepsBack = true
    if sides[place].isBare != false { feed(.valueReceived(link, characteristic: characteristic, octets: text)) }
  }

  private func feed(_ input: AppInput) {
    for effect in inner.handle(input, at: now) { pass(effect) }
    while let answer = ledger.nextKeptBack() { feed(answer) }
  }

  private func pass(_ effect: AppEffect) {
    guard let sent = effect.transmission, let place = sides.firstIndex(where: { $0.link == sent.link }) else {
      return effects.append(effect)
    }
    let isBare = !sides[place].gathered.isEmpty || sent.octets.first == UInt8(ascii: "{")
    sides[place].isBare = isBare
    if isBare {
      ledger.noteKeptBack(effect)
      gather(sent.octets, place)
    } else {
      ledger.note(effect)
      effects.append(effect)
    }
  }

  /// Effects of the bench's own.
  private func layer(_ send: (inout [AppEffect]) -> Void) { effects += ledger.noting(send) }

  private func gather(_ octets: [UInt8], _ place: Int) {
    sides[place].gathered += octets
    let text = sides[place].gathered
    if text.count > Self.longestText { sides[place].gathered = [] }
    guard Self.isWhole(text) else { return }
    sides[place].gathered = []
    let link = sides[place].link
    layer { _ = sender.enqueue(EncodedPacket(type: .heartbeat, json: text), link, &$0) }
  }

  /// Whether every brace is closed, those in strings left out.
  static func isWhole(_ text: [UInt8]) -> Bool {
    var depth = 0
    var isQuoted = false
    var isEscaped = false
    for octet in text {
      switch octet {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\") where isQuoted: isEscaped = true
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "{") where !isQuoted: depth += 1
      case UInt8(ascii: "}") where !isQuoted: depth -= 1
      default: break
      }
    }
    return depth <= 0 && !isQuoted
  }
}
