import AppSeam
import BabSim
import Conformance
import SimKernel

/// Whoever plays the missing steps of an implementation: it is told what the implementation is told.
protocol AssumedPart: AnyObject {
  /// What it asks for: packets of the assumed types, and timers; nothing else is done.
  func handle(_ input: AppInput, at now: SimInstant) -> [AssumedWish]
}

enum AssumedWish {
  case say(BabPacket, LinkID)
  case timer(TimerID, SimInstant?)
}

/// A host's steps, as the reference host takes them that goes along and is told all that the implementation is.
final class AssumedHost: AssumedPart {
  private let reference: any AppEngine
  private let types: [PacketType]
  private let framing: Framing
  private var links: [(id: LinkID, reassembler: Reassembler)] = []

  /// - Parameter seatsOnSubscription: nobody asks for a seat in this way to speak.
  init(_ configuration: AppConfiguration, _ types: [PacketType], framing: Framing, seatsOnSubscription: Bool) {
    reference =
      seatsOnSubscription ? Mutants.seatsWhoGreets.makeEngine(configuration) : BabEngines.reference(configuration)
    self.types = types
    self.framing = framing
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AssumedWish] {
    switch input {
    case .connected(let link, _): links.append((link, Reassembler(framing: framing)))
    case .disconnected(let link, _): links.removeAll { $0.id == link }
    // The answers are the implementation's; a reference that goes along is taken at its word.
    case .submitted, .readyToSend: return []
    default: break
    }
    var wishes: [AssumedWish] = []
    feed(input, now, &wishes)
    return wishes
  }

  private func feed(_ input: AppInput, _ now: SimInstant, _ wishes: inout [AssumedWish]) {
    for effect in reference.handle(input, at: now) {
      switch effect {
      case .setTimer(let id, let instant): wishes.append(.timer(id, instant))
      case .cancelTimer(let id): wishes.append(.timer(id, nil))
      default:
        guard let sent = effect.transmission else { continue }
        if let place = links.firstIndex(where: { $0.id == sent.link }),
          let text = links[place].reassembler.receive(sent.octets, at: now).packet,
          let packet = try? BabPacket(decoding: text), types.contains(packet.type)
        {
          wishes.append(.say(packet, sent.link))
        }
        feed(sent.accepted, now, &wishes)
      }
    }
  }
}

/// A client's steps: it greets and asks for a seat once it is subscribed, and sends what its user wishes.
final class AssumedClient: AssumedPart {
  private let configuration: BabConfiguration
  private let types: [PacketType]
  private var link: LinkID?
  private static let joining = TimerID(0)

  init(_ configuration: BabConfiguration, _ types: [PacketType]) {
    self.configuration = configuration
    self.types = types
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AssumedWish] {
    let me = configuration.peerID
    var said: [PacketPayload] = []
    switch input {
    case .subscribed(let id, configuration.dialect.state.uuid, true):
      link = id
      // After the implementation's own HANDSHAKE, where it has one.
      return wishes([.handshake(Participant(id: me, name: configuration.displayName))]) + [
        .timer(Self.joining, now + .milliseconds(500))
      ]
    case .timer(Self.joining): said = [.clientJoin(LobbyProfile(playerID: me, displayName: configuration.displayName))]
    case .disconnected(let id, _) where id == link: link = nil
    case .user(let action):
      switch action.bab {
      case .requestRole(let role)?: said = [.roleAssigned(playerID: me, roleID: role)]
      case .setReady(let isReady)?: said = [.playerReady(playerID: me, isReady: isReady)]
      default: break
      }
    default: break
    }
    return wishes(said)
  }

  private func wishes(_ payloads: [PacketPayload]) -> [AssumedWish] {
    guard let link else { return [] }
    return payloads.filter { types.contains($0.type) }.map {
      .say(BabPacket(senderID: configuration.peerID, vectorClock: VectorClock(), payload: $0), link)
    }
  }
}
