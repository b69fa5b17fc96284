import AppSeam
import BabSim
import SimKernel

/// An implementation that sends and takes JSON without fragments, and the bench's fragments around it.
///
/// What it sends is gathered until the braces of an object are closed, and cut as BAB 3 asks; it is told that every value
/// went out. What its peer sends is put together and handed to it whole, as one value.
final class ReframedEngine: AppEngine {
  private struct Side {
    var link: LinkID
    var fromPeer: Reassembler
    var gathered: [UInt8] = []
  }

  /// An object that is longer is none (BAB 4.41).
  private static let longestText = 262_144

  private let inner: any AppEngine
  private let dialect: Dialect
  private let isHost: Bool
  private var sender: PacketSender
  private var sides: [Side] = []
  private var effects: [AppEffect] = []
  private var now = SimInstant.zero

  init(wrapping inner: any AppEngine, _ dialect: Dialect, isHost: Bool) {
    self.inner = inner
    self.dialect = dialect
    self.isHost = isHost
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
    case .subscribed(let link, dialect.state.uuid, let isOn): sender.setReady(isOn, link, &effects)
    case .submitted(let link, _, let accepted):
      _ = sender.submitted(link, accepted: accepted, &effects)
      return
    case .writeCompleted(let link, _, _):
      _ = sender.writeCompleted(link, &effects)
      return
    case .readyToSend(let link): return sender.readyToSend(link, &effects)
    case .valueReceived(let link, let characteristic, let octets):
      guard let place = sides.firstIndex(where: { $0.link == link }),
        let text = sides[place].fromPeer.receive(octets, at: now).packet
      else { return }
      return feed(.valueReceived(link, characteristic: characteristic, octets: text))
    default: break
    }
    feed(input)
  }

  private func feed(_ input: AppInput) {
    for effect in inner.handle(input, at: now) {
      guard let sent = effect.transmission else {
        effects.append(effect)
        continue
      }
      gather(sent.octets, sent.link)
      feed(sent.accepted)
    }
  }

  private func gather(_ octets: [UInt8], _ link: LinkID) {
    guard let place = sides.firstIndex(where: { $0.link == link }) else { return }
    sides[place].gathered += octets
    let text = sides[place].gathered
    if text.count > Self.longestText { sides[place].gathered = [] }
    guard Self.isWhole(text) else { return }
    sides[place].gathered = []
    _ = sender.enqueue(EncodedPacket(type: .heartbeat, json: text), link, &effects)
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
