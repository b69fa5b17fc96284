import NetworkWire
import SimKernel

/// Finds the connections of TCP that packets belong to, and follows each of them.
///
/// At most `TrafficLimits.liveStreams` are followed at once, over all captures; one more takes the place of one that
/// has ended or, when there is none, of one that has been silent for long. Octets that wait for earlier ones take at
/// most `TrafficLimits.heldOctets` together.
final class StreamTable {
  /// One connection as one interface of one capture shows it; the ends in the order of their addresses.
  private struct Key: Hashable {
    var file: Int
    var interface: Int
    var low: StreamEnd
    var high: StreamEnd
  }

  private final class Flow {
    let key: Key
    let stream: TrafficStream
    @exclusivity(unchecked) var assemblies = PerStreamSide(StreamAssembly())
    /// A packet came after the one that opened it, and since it was asked to leave last.
    @exclusivity(unchecked) var isFresh = false

    init(_ key: Key, _ stream: TrafficStream) {
      self.key = key
      self.stream = stream
    }
  }

  private let output: TrafficOutput
  /// Looked up only, never gone through.
  @exclusivity(unchecked) private var flows: [Key: Flow] = [:]
  /// All that are in `flows`, those first that are asked first to leave.
  private let queue = Fifo<Flow>()
  @exclusivity(unchecked) private var heldCost = 0
  @exclusivity(unchecked) private var count = 0
  /// Used again for every packet.
  @exclusivity(unchecked) private var pieces: [StreamAssembly.Piece] = []

  init(_ output: TrafficOutput) { self.output = output }

  /// A segment that its receiver takes.
  func read(_ packet: NetworkPacket, _ segment: NetworkPacket.TCP) {
    guard let addresses = packet.addresses else { return }
    let source = StreamEnd(address: addresses.source, port: segment.sourcePort)
    let destination = StreamEnd(address: addresses.destination, port: segment.destinationPort)
    let isInOrder = Self.isOrdered(source, destination)
    let key = Key(
      file: output.place.file, interface: packet.interface, low: isInOrder ? source : destination,
      high: isInOrder ? destination : source)
    guard let flow = flow(key, packet, segment, from: source, to: destination) else { return }
    let side: TrafficStream.Side = source == flow.stream.client ? .client : .server
    if flow.stream.openedBy != output.place { flow.isFresh = true }
    if let isOutgoing = packet.isOutgoing { flow.stream.note(isOutgoing: isOutgoing, from: side) }
    if flow.stream.isUp, !segment.flags.contains(.rst) {
      flow.stream.hear(
        side, isOpening: segment.flags.contains(.syn), window: segment.window, at: output.instant)
    }
    follow(flow, side, packet, segment)
  }

  /// A total order, whatever it is.
  private static func isOrdered(_ a: StreamEnd, _ b: StreamEnd) -> Bool {
    let (left, right) = (words(a.address), words(b.address))
    if left != right { return left < right }
    return a.port <= b.port
  }

  private static func words(_ address: IPAddress) -> (UInt64, UInt64, UInt64) {
    switch address {
    case .v4(let bits): (0, 0, UInt64(bits))
    case .v6(let upper, let lower): (1, upper, lower)
    }
  }

  /// The connection that a segment belongs to; nil for what belongs to none.
  private func flow(
    _ key: Key, _ packet: NetworkPacket, _ segment: NetworkPacket.TCP, from source: StreamEnd, to destination: StreamEnd
  ) -> Flow? {
    let isOpening = segment.flags.contains(.syn)
    let isAnswer = segment.flags.contains(.ack)
    if let flow = flows[key] {
      let side: TrafficStream.Side = source == flow.stream.client ? .client : .server
      if !isOpening || isSame(flow, side, segment) { return flow }
      end(flow, .replaced)
    } else if !isOpening, segment.flags.contains(.rst) {
      return nil
    }
    let client = isOpening && isAnswer ? destination : source
    return open(
      key, packet, client: client, server: client == source ? destination : source, isOpenerKnown: isOpening)
  }

  /// Whether a SYN is of the connection that is there: a repetition, or the other side's, or one that came late.
  private func isSame(_ flow: Flow, _ side: TrafficStream.Side, _ segment: NetworkPacket.TCP) -> Bool {
    if let known = flow.stream[initialSequenceOf: side] { return known == segment.sequence }
    guard flow.stream.isUp else { return false }
    guard let first = flow.stream[firstSequenceOf: side] else { return true }
    return first == segment.sequence &+ 1
  }

  private func open(
    _ key: Key, _ packet: NetworkPacket, client: StreamEnd, server: StreamEnd, isOpenerKnown: Bool
  ) -> Flow {
    while queue.count >= TrafficLimits.liveStreams { makeRoom() }
    let stream = TrafficStream(
      index: count, file: key.file, interface: key.interface, interfaceName: packet.interfaceName, client: client,
      server: server, isOpenerKnown: isOpenerKnown, at: output.moment)
    count += 1
    let flow = Flow(key, stream)
    flows[key] = flow
    queue.append(flow)
    output.emit(network: .streamOpened(stream))
    return flow
  }

  /// Looks for one that can leave: each that is up and was heard since it was asked last may stay once more.
  private func makeRoom() {
    guard let flow = queue.popFirst() else { return }
    if flow.stream.isUp, flow.isFresh {
      flow.isFresh = false
      queue.append(flow)
      return
    }
    end(flow, .beyondLimits)
    if flows[flow.key] === flow { flows[flow.key] = nil }
  }

  private func follow(
    _ flow: Flow, _ side: TrafficStream.Side, _ packet: NetworkPacket, _ segment: NetworkPacket.TCP
  ) {
    let stream = flow.stream
    guard stream.isUp else { return }
    var sequence = segment.sequence
    if segment.flags.contains(.syn) {
      stream[initialSequenceOf: side] = sequence
      sequence &+= 1
      flow.assemblies[side].begin(at: sequence)
    }
    if segment.flags.contains(.rst) {
      // An answer that nobody listens may have any number, and is the first of its side.
      if flow.assemblies[side].isNear(sequence) { end(flow, .reset(by: side)) }
      return
    }
    if segment.flags.contains(.ack),
      let upTo = flow.assemblies[side.other].acknowledge(segment.acknowledgement, at: output.instant)
    {
      output.emit(network: .acknowledged(stream, from: side.other, upTo: upTo))
    }
    change(flow, side) {
      $0.take(
        packet.payload, missing: packet.missing, sequence: sequence, isLast: segment.flags.contains(.fin), into: &$1)
    }
    for side in TrafficStream.Side.allCases {
      change(flow, side) { [instant = output.instant] in $0.giveUpProven(at: instant, &$1) }
      if stream[firstSequenceOf: side] == nil, let next = flow.assemblies[side].next {
        stream[firstSequenceOf: side] = next &- UInt32(truncatingIfNeeded: flow.assemblies[side].offset)
      }
    }
    if flow.assemblies[.client].isFinished, flow.assemblies[.server].isFinished { end(flow, .finished) }
  }

  /// Lets a side's assembly work, and tells what comes out.
  private func change(
    _ flow: Flow, _ side: TrafficStream.Side, _ work: (inout StreamAssembly, inout [StreamAssembly.Piece]) -> Void
  ) {
    let before = flow.assemblies[side].heldCost
    work(&flow.assemblies[side], &pieces)
    heldCost += flow.assemblies[side].heldCost - before
    while heldCost > TrafficLimits.heldOctets, flow.assemblies[side].heldCost > 0 {
      let before = flow.assemblies[side].heldCost
      flow.assemblies[side].giveUp(.beyondLimits, &pieces)
      heldCost += flow.assemblies[side].heldCost - before
    }
    tell(flow.stream, side)
  }

  private func tell(_ stream: TrafficStream, _ side: TrafficStream.Side) {
    guard !pieces.isEmpty else { return }
    for piece in pieces {
      switch piece {
      case .octets(let offset, let octets): output.emit(network: .octets(stream, from: side, at: offset, octets))
      case .gap(let offset, let missing, let why):
        output.emit(network: .gap(stream, from: side, at: offset, missing: missing, why))
      case .ahead(let upTo): output.emit(network: .ahead(stream, from: side, upTo: upTo))
      case .finished: output.emit(network: .finished(stream, from: side))
      }
    }
    pieces.removeAll(keepingCapacity: true)
  }

  private func end(_ flow: Flow, _ ending: StreamEnding) {
    guard flow.stream.isUp else { return }
    for side in TrafficStream.Side.allCases { change(flow, side) { $0.finish(&$1) } }
    flow.stream.endedAt = output.instant
    output.emit(network: .streamEnded(flow.stream, ending))
  }

  /// Every capture has been read.
  func finish() {
    while let flow = queue.popFirst() { end(flow, .captureEnded) }
    flows = [:]
  }
}
