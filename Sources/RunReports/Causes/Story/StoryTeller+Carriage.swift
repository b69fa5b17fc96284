import AppSeam
import Bench
import BluetoothWire
import Conformance
import SimKernel
import VirtualNetwork
import VirtualRadio

/// What carried packets: the radio, or the network where two devices have a stream.
extension StoryTeller {
  /// What was between two devices for some time, or carried a packet.
  struct Carriage {
    /// Empty: nothing that is worth a word.
    var words: String
    var pdus: ClosedRange<Int>?
    var packets: ClosedRange<Int>?
  }

  /// Between two devices, whatever passed.
  func passage(between a: Int, and b: Int, from start: SimInstant, to end: SimInstant) -> Carriage {
    if chart.streams.contains(where: { $0.other(a) == b }) {
      let traffic = NetworkTraffic(run.packets, flows, between: a, and: b, from: start, to: end)
      return Carriage(words: traffic.words, packets: traffic.numbers)
    }
    let air = LinkAir(run.air, between: a, and: b, from: start, to: end)
    return Carriage(words: air.words(run.header), pdus: air.numbers)
  }

  /// What carried a packet, in words only where something of it was lost or waited.
  func carriage(of packet: Chart.Packet) -> Carriage {
    if let segments = flows.segments(of: packet) { return carriage(segments, packet) }
    let air = LinkAir(
      run.air, between: packet.from, and: packet.to, from: packet.sentAt, to: packet.receivedAt ?? run.end)
    return Carriage(
      words: air.lostCount > 0 ? air.words(run.header) : "",
      pdus: PDUNumbers.carrying(packet, in: run.air, until: run.end))
  }

  private func carriage(_ segments: [StreamFlows.Segment], _ packet: Chart.Packet) -> Carriage {
    let out = segments.filter(\.isOutgoing)
    guard let first = out.first, let last = segments.last else {
      return Carriage(words: "no segment with it went out")
    }
    var words: [String] = []
    let wait = run.packets[first.packet].instant - packet.sentAt
    if wait >= Self.lateAfter { words.append("it left after \(wait.shortSeconds) s") }
    let lost = max(out.count { $0.isLost }, 2 * out.count - segments.count)
    if lost > 0 { words.append("\(lost) of \(CountedNoun.text(out.count, "segment")) with it did not arrive") }
    let again = out.count { $0.isRepeat }
    if again > 0 { words.append(again == 1 ? "one was sent again" : "\(again) were sent again") }
    return Carriage(
      words: words.joined(separator: ", "),
      packets: run.packets[first.packet].number...run.packets[last.packet].number)
  }

  // MARK: Connections

  /// The device at the other end of the connection that a record is about; nil: it is about none that is known.
  func peer(of record: TraceRecord) -> Int? {
    if case .network(.neighbour(let other, _)) = record.event { return other }
    if case .report(let report) = record.event {
      for field in report.statement.shape.fields {
        let isNamed = { (device: TraceHeader.Device) in
          device.name == field.value || device.address.description == field.value
        }
        if field.name == "peer", let device = run.header.devices.firstIndex(where: isNamed) { return device }
        if field.name == "stream", let number = Int(field.value) {
          return peer(number, of: record.device, at: record.instant)
        }
      }
      return nil
    }
    return Self.connection(of: record.event).flatMap { peer($0.rawValue, of: record.device, at: record.instant) }
  }

  private func peer(_ connection: Int, of device: Int, at instant: SimInstant) -> Int? {
    let stream = chart.streams.last { stream in
      stream.isKnown(as: connection, to: device) && min(stream.readyAt, stream.acceptedAt) <= instant
    }
    return stream?.other(device)
  }

  private static func connection(of event: TraceEvent) -> ConnectionID? {
    switch event {
    case .input(.network(let input)):
      switch input {
      case .incoming(let id, _, _), .ready(let id, _), .waiting(let id, _), .failed(let id, _), .received(let id, _),
        .ended(let id), .submitted(let id, _), .room(let id), .viable(let id, _), .betterPath(let id, _),
        .cancelled(let id):
        id
      case .listenerReady, .listenerFailed, .found, .changed, .recordChanged, .lost, .pathChanged: nil
      }
    case .effect(.network(let effect)):
      switch effect {
      case .connect(let id, _), .send(let id, _), .finish(let id), .cancel(let id), .read(let id, _): id
      case .listen, .updateRecord, .stopListening, .browse, .stopBrowsing, .prime: nil
      }
    default: nil
    }
  }

  /// The device that a trouble is about besides the one that is blamed, where its record or its beginning says so.
  func partner(in trouble: Trouble) -> Int? {
    guard let subject = trouble.devices.first, !chart.streams.isEmpty else { return nil }
    if let record = trouble.record.flatMap(run.record), let peer = peer(of: record), peer != subject { return peer }
    guard let since = trouble.since else { return nil }
    let begun = run.records.lazy.filter { $0.instant == since && $0.device == subject }
    return begun.compactMap(peer).first { $0 != subject }
  }
}
