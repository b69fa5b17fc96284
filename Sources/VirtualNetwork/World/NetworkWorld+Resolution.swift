import AppSeam
import SimKernel

/// Who knows whose hardware address (NET 5.4).
final class Resolver {
  enum State {
    case unknown
    case asking(tries: Int)
    case known
  }

  static let longestQueue = 256

  private let count: Int
  private var states: [State]
  /// Packets that wait for an address.
  private var held: [[Packet]]

  init(count: Int) {
    self.count = count
    states = Array(repeating: .unknown, count: 2 * count * count)
    held = Array(repeating: [], count: 2 * count * count)
  }

  private func place(_ from: Int, _ to: Int, _ interface: NetworkInterface) -> Int {
    (interface.index * count + from) * count + to
  }

  subscript(from: Int, to: Int, interface: NetworkInterface) -> State {
    get { states[place(from, to, interface)] }
    set { states[place(from, to, interface)] = newValue }
  }

  func isFull(_ from: Int, _ to: Int, _ interface: NetworkInterface) -> Bool {
    held[place(from, to, interface)].count >= Self.longestQueue
  }

  /// - Returns: false when too many wait already.
  func hold(_ packet: Packet) -> Bool {
    let place = place(packet.source, packet.destination, packet.interface)
    if held[place].count >= Self.longestQueue { return false }
    held[place].append(packet)
    return true
  }

  func takeHeld(_ from: Int, _ to: Int, _ interface: NetworkInterface) -> [Packet] {
    let place = place(from, to, interface)
    let packets = held[place]
    held[place] = []
    return packets
  }
}

extension NetworkWorld {
  /// Between two questions, and how many there are (RFC 4861, 10: RETRANS_TIMER, MAX_MULTICAST_SOLICIT; ARP the same).
  static let askInterval = SimDuration.seconds(1)
  static let maximumAsks = 3

  /// Whether a packet can go, as its receiver's address is known; if not, it waits for that.
  func isResolved(_ packet: Packet) -> Bool {
    if case .resolution = packet.content { return true }
    if packet.destination == Packet.everybody { return true }
    switch resolver[packet.source, packet.destination, packet.interface] {
    case .known: return true
    case .unknown:
      _ = resolver.hold(packet)
      ask(packet.source, packet.destination, packet.interface, tries: 1)
    case .asking:
      if !resolver.hold(packet) { noteLoss(packet) }
    }
    return false
  }

  private func ask(_ from: Int, _ to: Int, _ interface: NetworkInterface, tries: Int) {
    resolver[from, to, interface] = .asking(tries: tries)
    _ = schedule(.resolution, from, to << 8 | interface.index, after: Self.askInterval)
    // A question of IPv6 goes to a group that has its one member (RFC 4291, 2.7.1).
    send(
      Packet(
        source: from, destination: interface == .infrastructure ? Packet.everybody : to, interface: interface,
        content: .resolution(target: to, isAnswer: false)))
  }

  func resolutionIsDue(_ from: Int, _ to: Int, _ interface: NetworkInterface) {
    guard case .asking(let tries) = resolver[from, to, interface] else { return }
    if tries < Self.maximumAsks { return ask(from, to, interface, tries: tries + 1) }
    resolver[from, to, interface] = .unknown
    for packet in resolver.takeHeld(from, to, interface) { noteLoss(packet) }
  }

  /// A question or an answer has come: both say what the address of their sender is.
  func receiveResolution(target: Int, isAnswer: Bool, _ packet: Packet) {
    let (device, other) = (packet.destination, packet.source)
    if !isAnswer, target != device { return }
    resolver[device, other, packet.interface] = .known
    if !isAnswer {
      send(
        Packet(
          source: device, destination: other, interface: packet.interface,
          content: .resolution(target: device, isAnswer: true)))
    }
    for held in resolver.takeHeld(device, other, packet.interface) { send(held) }
  }
}
