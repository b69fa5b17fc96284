import AppSeam
import Bench
import BluetoothWire
import Conformance
import Judging
import SimKernel
import VirtualNetwork

/// What happened to the devices concerned that is not the plain course of things.
extension StoryTeller {
  /// How many of one kind are told at the beginning, and at the end.
  private static let told = (first: 3, last: 3)

  func incidents(_ window: Window, _ participants: Participants, but shown: Chart.Packet?) -> [StoryEvent] {
    Self.shortened(happenings(window, participants)) + delays(window, participants, but: shown)
  }

  /// Faults, links that ended, refusals, and what apps and platforms complain of.
  private func happenings(_ window: Window, _ participants: Participants) -> [StoryEvent] {
    var events: [StoryEvent] = []
    for record in run.records where record.instant <= window.end && record.instant >= window.begin {
      guard participants.concerns(record.device), let text = incident(record.event), concerns(record, participants)
      else { continue }
      var event = StoryEvent(
        record.instant, "\(run.header.name(of: record.device)): \(text)", record: record.sequence)
      if let passage = passage(before: record, participants) {
        event.text += "; \(passage.words)"
        (event.pdus, event.packets) = (passage.pdus, passage.packets)
      }
      if let app = appSide(of: record) { event.text += "; \(app)" }
      events.append(event)
    }
    return events
  }

  /// Packets that came late, in part or never: the slowest ones, and how many there are.
  private func delays(_ window: Window, _ participants: Participants, but shown: Chart.Packet?) -> [StoryEvent] {
    let slow = chart.entries.compactMap(\.packet).filter { packet in
      packet != shown && participants.concerns(packet) && packet.sentAt <= window.end
        && (packet.receivedAt ?? window.end) >= window.begin && isIncident(packet)
    }
    func span(_ packet: Chart.Packet) -> SimDuration {
      packet.isPacket ? (packet.receivedAt ?? .distantFuture) - packet.sentAt : .seconds(1_000_000)
    }
    let worst = slow.sorted { span($0) > span($1) }.prefix(2)
    var events = worst.sorted { $0.sentAt < $1.sentAt }.compactMap(incident)
    if slow.count > worst.count, let last = events.last {
      let rest = slow.count - worst.count
      events[events.count - 1].text = last.text + "; \(CountedNoun.text(rest, "other packet")) came late or never, too"
    }
    return events
  }

  /// Whether a record is of the devices concerned, and of a connection between them where it is of one.
  func concerns(_ record: TraceRecord, _ participants: Participants) -> Bool {
    guard participants.concerns(record.device) else { return false }
    guard let partner = participants.partner, let peer = peer(of: record) else { return true }
    return peer == partner || peer == participants.subject
  }

  /// What changes what a stream or a path is.
  static func isTurn(_ input: NetworkInput) -> Bool {
    switch input {
    case .listenerFailed, .waiting, .failed, .viable, .submitted(_, accepted: false), .ready, .incoming, .ended: true
    case .found, .lost, .changed, .recordChanged, .betterPath, .pathChanged, .cancelled: true
    case .listenerReady, .received, .submitted, .room: false
    }
  }

  private func incident(_ event: TraceEvent) -> String? {
    switch event {
    case .fault, .platform, .input(.connectFailed), .input(.disconnected), .input(.radioPower(false)): words.text(event)
    case .input(.background), .input(.advertisingStarted(false)): words.text(event)
    case .input(.writeCompleted(_, _, error: .some)), .input(.valueRead(_, _, octets: nil)): words.text(event)
    case .input(.network(.listenerFailed)), .input(.network(.waiting)), .input(.network(.failed)): words.text(event)
    case .input(.network(.viable)), .input(.network(.submitted(_, accepted: false))): words.text(event)
    case .input(.network(.ready)), .input(.network(.ended)), .input(.network(.lost)): words.text(event)
    case .input(.network(.betterPath(_, true))), .effect(.network(.connect)): words.text(event)
    case .network(.link), .network(.neighbour(_, isThere: false)): words.text(event)
    case .report(let report):
      if let word = report.among(CallWord.self) {
        incident(word)
      } else {
        app.chart.isTrouble(report) ? words.text(event) : nil
      }
    default: nil
    }
  }

  private func isIncident(_ packet: Chart.Packet) -> Bool {
    guard let received = packet.receivedAt, packet.isPacket else { return true }
    return received - packet.sentAt >= Self.lateAfter
  }

  /// A packet that came late, in part, or never.
  private func incident(_ packet: Chart.Packet) -> StoryEvent? {
    guard let received = packet.receivedAt, packet.isPacket else {
      let parts =
        packet.stream != nil
        ? packet.receivedAt == nil ? ", never came" : ""
        : packet.isPacket ? "" : " (\(CountedNoun.text(packet.fragments, "value")))"
      return between(packet, "\(packet.name)\(parts)", at: packet.sentAt, until: packet.receivedAt ?? run.end)
    }
    let span = received - packet.sentAt
    guard span >= Self.lateAfter else { return nil }
    return between(
      packet, "\(packet.name) takes \(span.shortSeconds) s, until \(received.microseconds) s", at: packet.sentAt,
      until: received)
  }

  private func between(
    _ packet: Chart.Packet, _ text: String, at instant: SimInstant, until end: SimInstant
  ) -> StoryEvent {
    let names = [packet.from, packet.to].map { run.header.name(of: $0) }
    let own = packet.stream == nil ? passage(between: packet.from, and: packet.to, from: packet.sentAt, to: end) : nil
    let carriage = own ?? carriage(of: packet)
    let words = carriage.words.isEmpty ? "" : "; \(carriage.words)"
    return StoryEvent(
      instant, "\(names[0]) → \(names[1]): \(text)\(words)", record: packet.records.last, pdus: carriage.pdus,
      packets: carriage.packets)
  }

  /// What the air or the network did before a link or a stream ended, or failed to come about.
  private func passage(before record: TraceRecord, _ participants: Participants) -> Carriage? {
    let reason: HCI.ErrorCode
    switch record.event {
    case .input(.disconnected(_, let code)), .input(.connectFailed(_, let code)): reason = code
    case .input(.network(.failed(_, .timedOut))):
      guard let peer = peer(of: record) else { return nil }
      let span = SimDuration.seconds(20)
      let begin = record.instant - SimInstant.zero > span ? record.instant - span : .zero
      return passage(between: record.device, and: peer, from: begin, to: record.instant)
    default: return nil
    }
    guard reason == .connectionTimeout || reason == .connectionFailedToBeEstablished else { return nil }
    let partner = record.device == participants.subject ? participants.partner : participants.subject
    guard let partner else { return nil }
    let opened = run.records.last { other in
      if case .input(.connected) = other.event {
        other.device == record.device && other.sequence < record.sequence
      } else {
        false
      }
    }
    // No phone asks for a longer supervision timeout: what began earlier did not end this link.
    let span = SimDuration.seconds(6)
    let earliest = record.instant - SimInstant.zero > span ? record.instant - span : .zero
    let begin = max(earliest, opened?.instant ?? .zero)
    return passage(between: record.device, and: partner, from: begin, to: record.instant)
  }

  /// Equal ones in a row are one, and of many the first and the last are told.
  private static func shortened(_ events: [StoryEvent]) -> [StoryEvent] {
    var kept: [(event: StoryEvent, count: Int)] = []
    for event in events {
      if let last = kept.last, last.event.text == event.text {
        kept[kept.count - 1].count += 1
      } else {
        kept.append((event, 1))
      }
    }
    var told = kept.map { event, count in
      var event = event
      if count > 1 { event.text += ", \(count) times" }
      return event
    }
    if told.count > Self.told.first + Self.told.last + 1 {
      let omitted = told.count - Self.told.first - Self.told.last
      let note = StoryEvent(told[Self.told.first].instant, "… \(omitted) more such things …")
      told.replaceSubrange(Self.told.first..<told.count - Self.told.last, with: [note])
    }
    return told
  }
}
