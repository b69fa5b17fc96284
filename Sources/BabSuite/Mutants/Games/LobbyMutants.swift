import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects of links, lobby and start.

final class SecondHost: MutantEngine {
  private var dialect = Dialect.guide
  private var isHosting = false

  convenience init(wrapping inner: any AppEngine, dialect: Dialect) {
    self.init(wrapping: inner)
    self.dialect = dialect
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    guard effect == .report(.linkState("CONNECTED")), !isHosting else { return [effect] }
    isHosting = true
    let request = AdvertisementRequest(
      localName: dialect.advertisedName(peerID: "second", displayName: "second"), serviceUUIDs: [dialect.service])
    return [effect, .publish(dialect.serviceDefinition), .advertise(request)]
  }
}

final class GhostKept: MutantEngine {
  override func rewrite(_ input: AppInput) -> [AppInput] {
    if case .disconnected = input { return [] }
    return [input]
  }
}

final class LobbyUpdateForgotten: MutantEngine {
  private var spotter = PacketSpotter([.lobbyUpdate])
  private var told: [LinkID] = []
  private var dropping: [LinkID] = []

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    if isClaim(effect, of: [.lobbyUpdate], where: dropping.contains) { return [] }
    guard case .notify(let link, _, let octets) = effect else { return [effect] }
    let (isSpotted, isFirst) = spotter.spot(link, octets)
    guard isSpotted else { return [effect] }
    if isFirst {
      dropping.removeAll { $0 == link }
      if told.contains(link) { dropping.append(link) } else { told.append(link) }
    }
    return dropping.contains(link) ? [] : [effect]
  }
}

final class StartNotSentToLast: MutantEngine {
  private var spotter = PacketSpotter([.startGame, .gameStarted])
  private var last: LinkID?

  override func rewrite(_ input: AppInput) -> [AppInput] {
    if case .valueReceived(let link, _, _) = input { last = max(last ?? link, link) }
    return [input]
  }

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    if isClaim(effect, of: [.startGame, .gameStarted], where: { $0 == last }) { return [] }
    guard case .notify(let link, _, let octets) = effect else { return [effect] }
    let (isSpotted, _) = spotter.spot(link, octets)
    return isSpotted && link == last ? [] : [effect]
  }
}

final class NoSnapshotOnReturn: MutantEngine {
  private var spotter = PacketSpotter([.fullStateSnapshot])

  override func rewrite(_ effect: AppEffect) -> [AppEffect] {
    if isClaim(effect, of: [.fullStateSnapshot], where: { _ in true }) { return [] }
    guard case .notify(let link, _, let octets) = effect else { return [effect] }
    return spotter.spot(link, octets).isSpotted ? [] : [effect]
  }
}

final class NeverRests: MutantEngine {
  private static let timer = TimerID(Int(Int32.max))

  override func rewrite(_ input: AppInput) -> [AppInput] {
    guard input == .launched || input == .timer(Self.timer) else { return [input] }
    added.append(.setTimer(Self.timer, at: now))
    return input == .launched ? [input] : []
  }
}
