import CaptureFormats
import Expectations
import NetworkWire
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("Both ends of a stream")
struct StreamEndTests {
  /// Captures at the machine of the client, and of the server, where everything has a time that is 2 ms later.
  private struct Ends {
    var client = NetworkScript()
    var server = NetworkScript()

    init() {
      client.interfaceName = "Anna wifi"
      server.interfaceName = "Ben wifi"
      server.nanoseconds = 2_000_000
    }

    enum Fate { case arrives, lost, unseenAtSender, unseenAtReceiver, unseen }

    mutating func segment(
      _ side: TrafficStream.Side, _ offset: Int, _ text: String, acknowledges: Int? = 0, flags: TCPSegment.Flags = [],
      _ fate: Fate = .arrives
    ) {
      let frame = client.frame(side, offset, Array(text.utf8), acknowledges: acknowledges, flags: flags)
      let isAtClient =
        fate != .unseen && (side == .client ? fate != .unseenAtSender : fate != .unseenAtReceiver && fate != .lost)
      let isAtServer =
        fate != .unseen && (side == .server ? fate != .unseenAtSender : fate != .unseenAtReceiver && fate != .lost)
      if isAtClient { client.add(frame: frame, isOutgoing: side == .client) } else { client.nanoseconds += client.step }
      if isAtServer { server.add(frame: frame, isOutgoing: side == .server) } else { server.nanoseconds += server.step }
    }

    mutating func open() {
      segment(.client, -1, "", acknowledges: nil, flags: .syn)
      segment(.server, -1, "", flags: .syn)
      segment(.client, 0, "")
    }

    /// Both as one, with interfaces of their own; or one alone.
    func timeline(client hasClient: Bool = true, server hasServer: Bool = true) -> (StreamTimeline, StreamPairing) {
      let recorder = StreamRecorder()
      let reader = TrafficReader(observers: [recorder])
      var all: [(record: CaptureRecord, file: Int)] = []
      if hasClient { all += client.records.map { ($0, 0) } }
      if hasServer { all += server.records.map { ($0, 1) } }
      let order = all.indices.sorted { (all[$0].record.nanoseconds, $0) < (all[$1].record.nanoseconds, $1) }
      for index in order {
        reader.read(
          all[index].record, file: all[index].file, at: SimInstant(nanoseconds: all[index].record.nanoseconds))
      }
      reader.finish()
      let pairing = StreamPairing(recorder)
      return (StreamTimeline(pairing), pairing)
    }
  }

  private func words(_ timeline: StreamTimeline) -> [String] {
    timeline.events.map { event in
      let time = event.instant.nanoseconds / 1_000_000
      return switch event.kind {
      case .opened(let side): "\(time) opened at \(side.map { "\($0)" } ?? "–")"
      case .sent(let side, let offset, let octets):
        "\(time) \(side) sends \(offset): \(String(decoding: octets, as: UTF8.self))"
      case .arrived(let side, let upTo): "\(time) \(side) arrived \(upTo)"
      case .gap(let side, let offset, let missing, let why):
        "\(time) \(side) gap \(offset)+\(missing.map { "\($0)" } ?? "?") \(why)"
      case .finished(let side): "\(time) \(side) finished"
      case .ended(let side, let ending): "\(time) ended at \(side.map { "\($0)" } ?? "–") \(ending)"
      }
    }
  }

  /// "one" arrives; "two" is lost and repeated; "three" is answered.
  private func talk() -> Ends {
    var ends = Ends()
    ends.open()
    ends.segment(.client, 0, "one")
    ends.segment(.client, 3, "two", .lost)
    ends.segment(.client, 6, "three")
    ends.segment(.client, 3, "two")
    ends.segment(.server, 0, "yes", acknowledges: 11)
    ends.segment(.client, 11, "", acknowledges: 3, flags: .fin)
    ends.segment(.server, 3, "", acknowledges: 12, flags: .fin)
    return ends
  }

  @Test("What leaves one machine and what comes to the other is told at both, a loss on the way included")
  func both() {
    let (timeline, pairing) = talk().timeline()
    expect(pairing.connections.count == 1 && pairing.connections[0].tracks.count == 2)
    equal(
      words(timeline),
      [
        "0 opened at client", "2 opened at server", "3 client sends 0: one", "4 client sends 3: two",
        "5 client sends 6: three", "5 client arrived 3", "8 client finished", "8 client arrived 6",
        "8 client arrived 11", "9 server sends 0: yes", "9 server arrived 3", "9 ended at client finished",
        "11 server finished", "11 ended at server finished",
      ])
  }

  @Test("With the sender's capture alone, acknowledgements say what came")
  func sender() {
    let (timeline, _) = talk().timeline(server: false)
    equal(
      words(timeline),
      [
        "0 opened at client", "3 client sends 0: one", "4 client sends 3: two", "5 client sends 6: three",
        "7 client arrived 11", "7 server sends 0: yes", "7 server arrived 3", "8 client finished",
        "9 server finished", "9 ended at client finished",
      ])
  }

  @Test("With the receiver's capture alone, what came has been sent")
  func receiver() {
    let (timeline, _) = talk().timeline(client: false)
    equal(
      words(timeline),
      [
        "2 opened at server", "5 client sends 0: one", "5 client arrived 3", "7 client sends 3: two",
        "7 client sends 6: three", "8 client arrived 6", "8 client arrived 11", "9 server sends 0: yes",
        "10 client finished", "10 server arrived 3", "11 server finished", "11 ended at server finished",
      ])
  }

  @Test("What the sender's capture lacks had been sent before what follows it there")
  func unseenBefore() {
    var ends = Ends()
    ends.open()
    ends.segment(.client, 0, "one", .unseen)
    ends.segment(.client, 3, "two")
    ends.segment(.client, 0, "one")
    let (timeline, _) = ends.timeline()
    equal(
      words(timeline).filter { $0.contains("client sends") || $0.contains("client arrived") },
      [
        "4 client sends 0: one", "4 client sends 3: two", "7 client arrived 3", "7 client arrived 6",
      ])
  }

  @Test("What one capture lacks, the other has; what both lack is a gap")
  func gaps() {
    var ends = Ends()
    ends.open()
    ends.segment(.client, 0, "one", .unseenAtSender)
    ends.segment(.client, 3, "two", .unseen)
    ends.segment(.client, 6, "three")
    ends.segment(.server, 0, "", acknowledges: 11)
    ends.client.nanoseconds += 200_000_000
    ends.server.nanoseconds += 200_000_000
    ends.segment(.client, 11, "four")
    let (timeline, _) = ends.timeline()
    equal(
      words(timeline),
      [
        "0 opened at client", "2 opened at server", "5 client sends 0: one", "5 client arrived 3",
        "207 client gap 3+3 missed", "207 client sends 6: three", "207 client sends 11: four", "209 client arrived 11",
        "209 client arrived 15", "209 ended at client captureEnded", "209 ended at server captureEnded",
      ])
  }

  @Test("Connections of the same ends are told apart by their sequence numbers")
  func reopened() {
    var ends = talk()
    ends.client.initial = (77, 78)
    ends.open()
    ends.segment(.client, 0, "again")
    let (_, pairing) = ends.timeline()
    equal(pairing.connections.map(\.tracks.count), [2, 2])
    // A capture of other numbers is another connection.
    var other = talk()
    other.server = Ends().server
    for record in talk().server.records { other.server.add(frame: Array(record.octets), isOutgoing: nil) }
    other.client = NetworkScript()
    other.client.initial = (5, 6)
    other.client.open()
    equal(other.timeline().1.connections.map(\.tracks.count), [1, 1])
  }

  @Test("Two captures that begin in the middle are the same connection when their numbers are near")
  func midway() {
    var ends = talk()
    let drop = { (script: inout NetworkScript, count: Int) in script = script.without(first: count) }
    drop(&ends.client, 3)
    drop(&ends.server, 4)
    let (timeline, pairing) = ends.timeline()
    equal(pairing.connections.map(\.tracks.count), [2])
    let sent = timeline.events.compactMap { event -> String? in
      if case .sent(.client, _, let octets) = event.kind { String(decoding: octets, as: UTF8.self) } else { nil }
    }
    equal(sent.joined(), "onetwothree")
  }

  @Test("A recorder that is full says from where on it has nothing")
  func full() {
    let recorder = StreamRecorder(limit: 400)
    let reader = TrafficReader(observers: [recorder])
    for record in talk().client.records { reader.read(record, file: 0, at: .zero) }
    reader.finish()
    let gaps = StreamTimeline(StreamPairing(recorder)).events.compactMap { event -> StreamGap? in
      if case .gap(_, _, nil, let why) = event.kind { why } else { nil }
    }
    expect(gaps.contains(.beyondLimits))
  }
}
