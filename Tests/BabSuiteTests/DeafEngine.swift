import AppSeam
import BabSim
import SimKernel

/// Does nothing, whatever happens.
final class SilentEngine: AppEngine {
  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] { [] }
}

/// A correct engine that joins, or lets others join, and hears nothing else: no other packet, no other wish of its
/// user, no octets that are no packet.
final class DeafEngine: AppEngine {
  private struct Side {
    var link: LinkID
    var reassembler: Reassembler
    /// Values since the newest whole packet.
    var values: [AppInput] = []
  }

  private let inner: any AppEngine
  private let configuration: BabConfiguration
  private let isHost: Bool
  private var sides: [Side] = []
  private var hasSeat = false

  init(_ app: AppConfiguration) {
    configuration = BabConfiguration(app)
    inner = BabEngines.reference(app)
    isHost = app.role == .host
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .connected(let link, _):
      sides.append(Side(link: link, reassembler: Reassembler(framing: configuration.dialect.framing)))
    case .disconnected(let link, _): sides.removeAll { $0.link == link }
    case .user(let action):
      switch action.bab {
      case .startHosting, .joinHost, .joinHostAt: break
      default: return []
      }
    case .valueReceived(let link, _, let octets):
      guard let index = sides.firstIndex(where: { $0.link == link }) else { return [] }
      sides[index].values.append(input)
      guard let text = sides[index].reassembler.receive(octets, at: now).packet else { return [] }
      defer { sides[index].values = [] }
      guard let packet = try? BabPacket(decoding: text), hears(packet) else { return [] }
      return sides[index].values.flatMap { inner.handle($0, at: now) }
    default: break
    }
    return inner.handle(input, at: now)
  }

  private func hears(_ packet: BabPacket) -> Bool {
    switch packet.payload {
    case .handshake: return true
    case .clientJoin: return isHost
    case .lobbyUpdate(let lobby):
      guard !isHost, !hasSeat else { return false }
      hasSeat = lobby.connectedPlayers.contains { $0.playerID == configuration.peerID }
      return true
    default: return false
    }
  }
}
