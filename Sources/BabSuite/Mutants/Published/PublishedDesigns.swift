import AppSeam
import BabSim
import BluetoothWire
package import Conformance
import SimKernel

/// The designs that the published documents of Bab describe, each as an engine.
///
/// Each is the reference with one thing, or everything, done as its source says.
package enum PublishedDesigns {
  package static let all: [PublishedDesign] = [
    PublishedDesign(engine: "published-raw-chunks", document: "guide, host code"),
    PublishedDesign(engine: "published-update-value-ignored", document: "guide, host code"),
    PublishedDesign(engine: "published-181-octet-bodies", document: "SDK, fragmenter"),
    PublishedDesign(engine: "published-no-expiry", document: "guide, reassembler"),
    PublishedDesign(engine: "published-skip-tells-nobody", document: "SDK, turn handling"),
    PublishedDesign(engine: "published-no-capacity", document: "SDK, host"),
    PublishedDesign(engine: "published-any-sender", document: "SDK and guide"),
    PublishedDesign(engine: "published-unknown-line-fatal", document: "SDK, turn handling"),
    PublishedDesign(engine: "published-sdk-host", document: "SDK, all of it", profile: "sdk"),
    PublishedDesign(engine: "published-guide-host", document: "guide and SDK, all of it", profile: "guide"),
    PublishedDesign(engine: "published-app-host", document: "app, all of it", profile: "app"),
    PublishedDesign(engine: "published-sdk-client", document: "SDK, all of it", profile: "sdk"),
    PublishedDesign(engine: "published-guide-client", document: "guide and SDK, all of it", profile: "guide"),
    PublishedDesign(engine: "published-app-client", document: "app, all of it", profile: "app"),
  ]
}

extension Mutants {
  static let published: [Mutant] = [
    .set("published-raw-chunks", .host, "BAB 3.1", "cuts the JSON every 182 octets and adds no header") {
      $0.dialect.framing = .raw
    },
    .engine(
      "published-update-value-ignored", .host, "BAB 3.8",
      "does not look at what updateValue returns, and loses the values it refused",
      IgnoresQueueFull.init),
    .set(
      "published-181-octet-bodies", .host, "BAB 3.4",
      "sends bodies of 181 octets whatever the ATT_MTU is: the header makes them 185"
    ) {
      $0.dialect.framing = .framedOverlong
    },
    .engine(
      "published-no-expiry", .host, "BAB 3.14",
      "keeps partial packets forever, also when the link ends, and believes whatever header comes",
      NaiveReassembly.init),
    .packets(
      "published-skip-tells-nobody", .host, "BAB 5.4.6", "skips a line and tells no client",
      unsaid: { m, packet in !m.memory.isEmpty },
      whenHearing: { m, packet in if case .lineSkipped = packet.payload { m.memory = ["skipping"] } },
      observing: { m, input in m.memory = input == .user(.skipLine) ? ["skipping"] : [] }),
    .set("published-no-capacity", .host, "BAB 2.3", "has no limit of players") { $0.dialect.capacity = 64 },
    .hears("published-any-sender", .host, "BAB 7.2", "believes the senderId of a packet, whoever sent it") {
      m, packet in
      // Each HANDSHAKE is kept as the number of its m.link and its sender.
      let own = "\(m.link.rawValue) " + packet.senderID
      if case .handshake = packet.payload, !m.memory.contains(own) { m.memory.append(own) }
      guard let other = m.memory.first(where: { $0.hasSuffix(" " + packet.senderID) }), other != own,
        let number = other.split(separator: " ").first.flatMap({ Int($0) }), m.links.contains(LinkID(number))
      else { return [packet] }
      m.hear(packet, on: LinkID(number))
      return []
    },
    .packets(
      "published-unknown-line-fatal", .host, "BAB 5.4.11", "crashes at a lineId it does not know",
      whenSaying: { m, packet in if case .turnAdvanced(_, let line?) = packet.payload { m.memory.append(line.id) } },
      incoming: { m, packet in
        switch packet.payload {
        case .lineCompleted(let id, _) where !m.memory.contains(id),
          .lineSkipped(let id) where !m.memory.contains(id):
          m.crash("fatal error: unexpectedly found nil: line \(id)")
          return []
        default: return [packet]
        }
      }),
  ]
}

/// The guide's reassembler: a table of fragments for each peer, never cleared.
private final class NaiveReassembly: MutantEngine {
  private struct Partial {
    var peer: BluetoothAddress
    var packetID: UInt16
    var bodies: [(index: UInt8, octets: [UInt8])]
  }

  private var peers: [(link: LinkID, address: BluetoothAddress)] = []
  private var partials: [Partial] = []
  private var nextPacketID: UInt16 = 0

  override func rewrite(_ input: AppInput) -> [AppInput] {
    if case .connected(let link, let address) = input { peers.append((link, address)) }
    guard case .valueReceived(let link, let characteristic, let octets) = input, let header = FragmentHeader(octets),
      let peer = peers.last(where: { $0.link == link })?.address
    else { return [input] }
    let place = partials.firstIndex { $0.packetID == header.packetID && $0.peer == peer }
    var partial =
      place.map { partials.remove(at: $0) } ?? Partial(peer: peer, packetID: header.packetID, bodies: [])
    partial.bodies.removeAll { $0.index == header.index }
    partial.bodies.append((header.index, Array(octets.dropFirst(FragmentHeader.octets))))
    guard partial.bodies.count == Int(header.count) else {
      partials.append(partial)
      return []
    }
    let text = partial.bodies.sorted { $0.index < $1.index }.flatMap(\.octets)
    nextPacketID &+= 1
    let whole = [UInt8(nextPacketID >> 8), UInt8(nextPacketID & 0xFF), 0, 1] + text
    return [.valueReceived(link, characteristic: characteristic, octets: whole)]
  }
}
