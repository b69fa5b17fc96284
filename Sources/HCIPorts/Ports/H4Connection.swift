import BluetoothWire
import NIOCore
import SimKernel
import VirtualRadio

/// One partner on one channel: frames what it sends, writes what the world has for it.
final class H4Connection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// How the channel carries packets.
  enum Carriage {
    /// Octets without packet boundaries.
    case stream
    /// A device that gives and takes exactly one packet with each read and write.
    case packets
  }

  /// When the partner has the seat.
  enum Taking {
    /// As soon as the channel is active.
    case active
    /// With a call of `take`, or with the first octet.
    case asked
    /// With a call of `take`; nothing is read before.
    case later
    /// When its first octets have said whether it can say what it waits for.
    case hello
  }

  let port: Port
  private let carriage: Carriage
  private let taking: Taking
  private(set) var partner: String
  private(set) var isSeated = false
  /// A controller that is out of step: the world knows it as gone, and HCI_Reset is on its way.
  private(set) var isMuted = false
  private var channel: (any Channel)?
  private var framer: H4Framer
  /// For a host that says what it waits for, or that has said nothing yet; nil for plain H4.
  var lockstep: LockstepFramer?
  /// Which ports get their turns together; zero for no others.
  var group: UInt32 = 0
  private var pieces: [H4Framer.Piece] = []
  private var failure: String?
  private var outgoing = ByteBuffer()
  private var queue = PacketQueue()

  init(port: Port, partner: String, carriage: Carriage = .stream, taking: Taking = .active) {
    self.port = port
    self.partner = partner
    self.carriage = carriage
    self.taking = taking
    framer = H4Connection.framer(port.configuration)
    if taking == .hello {
      lockstep = LockstepFramer(
        sender: H4Connection.sender(port.configuration), limit: port.configuration.packetLimit)
    }
  }

  private static func framer(_ configuration: PortConfiguration) -> H4Framer {
    H4Framer(sender: sender(configuration), limit: configuration.packetLimit)
  }

  private static func sender(_ configuration: PortConfiguration) -> H4Framer.Sender {
    switch configuration.partner {
    case .host: .host
    case .linkLayer: .linkLayer
    case .controller: .controller
    }
  }

  // MARK: Coming and going

  var isActive: Bool { channel?.isActive ?? false }

  func handlerAdded(context: ChannelHandlerContext) { channel = context.channel }

  func channelActive(context: ChannelHandlerContext) {
    if let address = context.channel.remoteAddress, let host = address.ipAddress, let number = address.port {
      partner += " from \(host):\(number)"
    }
    if taking == .active { takeSeat() }
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    giveUpSeat(failure ?? "has left")
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    failure = "is gone: \(PortError.reason(error))"
    context.close(promise: nil)
  }

  /// Takes the seat, or is turned away.
  func takeSeat() {
    guard !isSeated, let channel else { return }
    guard port.seat(self) else { return channel.close(promise: nil) }
    isSeated = true
    goOn(port.enter(.attached, stamp: port.owner.clock))
  }

  /// Leaves the seat and closes the channel.
  func giveUpSeat(_ reason: String) {
    guard isSeated else { return close() }
    sayEnd(reason)
    isSeated = false
    let half = framer.waiting
    port.report.discardedOctets += half
    port.vacate(self, reason: reason + (half > 0 ? "; \(half) octets that were no whole packet are discarded" : ""))
    close()
  }

  /// Octets that are no whole packet yet.
  var halfPacket: Int { framer.waiting }

  /// Without telling the world.
  func close() {
    isSeated = false
    sayEnd(LockstepMessage.regularEnd)
    channel?.close(promise: nil)
    channel = nil
  }

  /// Reads on, or waits until time begins.
  func goOn(_ wanted: Bool) {
    try? channel?.syncOptions?.setOption(.autoRead, value: wanted)
    if wanted { channel?.read() }
  }

  // MARK: In

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let stamp = port.owner.clock
    let buffer = unwrapInboundIn(data)
    if lockstep != nil, readLockstep(Array(buffer.readableBytesView), stamp) { return }
    if taking == .asked, !isSeated { takeSeat() }
    guard isSeated else { return }
    if carriage == .packets { return readPacket(buffer, stamp) }
    pieces.removeAll(keepingCapacity: true)
    buffer.withUnsafeReadableBytes { octets in framer.feed(octets) { pieces.append($0) } }
    var isOpen = true
    for piece in pieces where isSeated { isOpen = handle(piece, stamp) }
    if !isOpen, isSeated { goOn(false) }
  }

  private func handle(_ piece: H4Framer.Piece, _ stamp: SimInstant) -> Bool {
    switch piece {
    case .packet(let octets):
      port.report.packetsIn += 1
      return port.enter(.packet(octets), stamp: stamp)
    case .outOfStep(let octets):
      port.report.lossesOfStep += 1
      if port.configuration.partner == .linkLayer {
        giveUpSeat("sent octets that are no message: \(H4Connection.hex(octets))")
        return false
      }
      port.line("\(partner) is out of step at \(H4Connection.hex(octets)); waiting for HCI_Reset")
      if port.configuration.partner == .host {
        // What is no packet makes the controller say Hardware Error, as it must when step is lost (Vol 4, Part A, 4).
        return port.enter(.packet(octets), stamp: stamp)
      }
      isMuted = true
      send([0x01, 0x03, 0x0C, 0x00])
      flush()
      return port.enter(.detached, stamp: stamp)
    case .inStep(let skipped):
      port.report.discardedOctets += skipped
      if port.configuration.partner == .host { return true }
      isMuted = false
      return port.enter(.attached, stamp: stamp)
    }
  }

  private func readPacket(_ buffer: ByteBuffer, _ stamp: SimInstant) {
    let octets = Array(buffer.readableBytesView)
    if octets.first == KernelAdapter.vendorPacket { return port.line(KernelAdapter.line(answer: octets)) }
    var framer = H4Connection.framer(port.configuration)
    var pieces: [H4Framer.Piece] = []
    framer.feed(octets) { pieces.append($0) }
    guard pieces == [.packet(octets)] else {
      port.report.lossesOfStep += 1
      port.report.discardedOctets += octets.count
      return port.line("\(octets.count) octets from \(partner) are no H4 packet: \(H4Connection.hex(octets))")
    }
    port.report.packetsIn += 1
    if !port.enter(.packet(octets), stamp: stamp), isSeated { goOn(false) }
  }

  static func hex(_ octets: [UInt8]) -> String {
    let digits = String(hexadecimal: octets.prefix(8), separator: " ")
    return octets.count > 8 ? digits + " …" : digits
  }

  // MARK: Out

  func send(_ packet: [UInt8]) {
    if carriage == .stream { outgoing.writeBytes(packet) } else { queue.append(packet) }
  }

  func flush() {
    guard let channel, isSeated else { return }
    if carriage == .packets { return pump(channel) }
    guard outgoing.readableBytes > 0 else { return }
    let octets = outgoing
    outgoing = ByteBuffer()
    channel.writeAndFlush(octets, promise: nil)
    // The water mark is `waitingOctets`: see PortBootstraps.
    if !channel.isWritable { drop() }
  }

  /// One packet with each write, the next when the device has taken it.
  private func pump(_ channel: any Channel) {
    if queue.octets > port.owner.settings.waitingOctets { return drop() }
    guard !queue.isPumping else { return }
    queue.isPumping = true
    while isSeated, !queue.isWriting, let packet = queue.popFirst() {
      queue.isWriting = true
      channel.writeAndFlush(ByteBuffer(bytes: packet)).assumeIsolated().whenComplete { [self] _ in
        queue.isWriting = false
        if !queue.isPumping { pump(channel) }
      }
    }
    queue.isPumping = false
  }

  /// The last message to a host in lockstep; none to others, and none after it.
  func sayEnd(_ reason: String) {
    guard lockstep != nil, let channel, channel.isActive else { return }
    lockstep = nil
    outgoing.writeBytes(LockstepMessage.end(reason: reason).encoded)
    channel.writeAndFlush(outgoing, promise: nil)
    outgoing = ByteBuffer()
  }

  private func drop() {
    port.report.drops += 1
    giveUpSeat("does not read: more than \(port.owner.settings.waitingOctets) octets wait, it is disconnected")
  }
}

/// Packets for a device that takes one at a time.
private struct PacketQueue {
  private var packets = Fifo<[UInt8]>()
  private(set) var octets = 0
  var isWriting = false
  var isPumping = false

  mutating func append(_ packet: [UInt8]) {
    packets.append(packet)
    octets += packet.count
  }

  mutating func popFirst() -> [UInt8]? {
    guard let packet = packets.popFirst() else { return nil }
    octets -= packet.count
    assert(octets >= 0, "a packet that leaves the queue was in it")
    return packet
  }
}
