import AppSeam
import BluetoothWire
import SimKernel

@testable import BabSim

/// The reference host as a library without a radio: a perfect platform on one side, peers and whole packets on the
/// other.
final class LibraryHost: AppEngine {
  private static let attMTU = 517

  private let reference: any AppEngine
  private let dialect: Dialect
  private var incoming: [(link: LinkID, reassembler: Reassembler)] = []
  private var effects: [AppEffect] = []

  init(_ engine: any AppEngine, _ configuration: AppConfiguration) {
    reference = engine
    dialect = configuration.dialect.profile
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    effects = []
    switch input {
    case .connected(let link, _):
      incoming.append((link, Reassembler(framing: dialect.framing)))
      tell([input, .attMTU(link, Self.attMTU), .subscribed(link, characteristic: dialect.state.uuid, true)], now)
    case .disconnected(let link, _):
      incoming.removeAll { $0.link == link }
      tell([input], now)
    case .valueReceived(let link, _, let text):
      let values = PacketCoder.cut(text, packetID: 0, attMTU: Self.attMTU, framing: dialect.framing)
      tell(values.map { .valueReceived(link, characteristic: dialect.command.uuid, octets: $0) }, now)
    // The radio's absence is told by its disconnections.
    case .radioPower: break
    default: tell([input], now)
    }
    return effects
  }

  private func tell(_ inputs: [AppInput], _ now: SimInstant) {
    for input in inputs { for effect in reference.handle(input, at: now) { take(effect, now) } }
  }

  private func take(_ effect: AppEffect, _ now: SimInstant) {
    if let sent = effect.transmission {
      if let place = incoming.firstIndex(where: { $0.link == sent.link }),
        let text = incoming[place].reassembler.receive(sent.octets, at: now).packet
      {
        effects.append(.notify(sent.link, characteristic: dialect.state.uuid, octets: text))
      }
      return tell([sent.accepted], now)
    }
    switch effect {
    // The glue reports what it has sent.
    case .report(let report): if case .packetSent? = report.bab { break } else { effects.append(effect) }
    case .publish: break
    default: effects.append(effect)
    }
  }
}
