import AppSeam
import BluetoothWire
import SimKernel

/// Plays a recorded device: it advertises and answers as the capture shows, and says when it does not know an answer.
///
/// The n-th read, write of a value, or subscription is answered as the n-th one in the capture was, in one launch; the
/// last answer repeats.
final class RecordedPeripheral: AppEngine {
  private let recording: Recording
  private let types: [ATT.Handle: BluetoothUUID]
  private var reads: [ATT.Handle: Int] = [:]
  private var writes: [Recording.Write: Int] = [:]
  private var subscriptions: [ATT.Handle: Int] = [:]
  /// What blobs are parts of.
  private var readValues: [ATT.Handle: [UInt8]] = [:]
  private var links: [Line] = []
  private var agenda = RecordedAgenda()
  private var timerAt: SimInstant?

  private static let timer = TimerID(0)
  /// A client gives up after 30 s (Core v5.4, Vol 3, Part F, 3.3.3).
  private static let longestDelay: Int64 = 29_000_000_000

  /// A client, what it listens to, and the values that its queue had no room for.
  private struct Line {
    var link: LinkID
    var listens: [ATT.Handle] = []
    var waiting: [(handle: ATT.Handle, octets: [UInt8])] = []
    /// A value is with the platform, which has not said whether it takes it.
    var isSubmitting = false
    var isFull = false
  }

  init(_ recording: Recording) {
    self.recording = recording
    var types: [ATT.Handle: BluetoothUUID] = [:]
    for characteristic in recording.services.flatMap(\.characteristics) {
      types[ATT.Handle(truncatingIfNeeded: characteristic.key.rawValue)] = characteristic.uuid
    }
    self.types = types
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    var effects = effects(of: input, now)
    effects += due(now)
    if let next = agenda.next {
      if timerAt != next { effects.append(.setTimer(Self.timer, at: next)) }
    } else if timerAt != nil {
      effects.append(.cancelTimer(Self.timer))
    }
    timerAt = agenda.next
    return effects
  }

  private func effects(of input: AppInput, _ now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched:
      let notes = recording.notes.map { AppEffect.report(AppReport(RecordedReport.note($0))) }
      return notes + recording.services.map { .gatt(.publish($0)) } + [advertise]
    case .radioPower(let isOn):
      links = []
      agenda.dropAll()
      return isOn ? [advertise] : []
    case .connected(let link, _):
      links.append(Line(link: link))
      return [.stopAdvertising]
    case .disconnected(let link, _):
      links.removeAll { $0.link == link }
      agenda.drop(link)
      return links.isEmpty ? [advertise] : []
    case .timer(Self.timer):
      timerAt = nil
      return []
    case .readyToSend(let link):
      guard let index = links.firstIndex(where: { $0.link == link }) else { return [] }
      links[index].isFull = false
      return submit(index)
    case .gatt(let input): return effects(of: input, now)
    default: return []
    }
  }

  private var advertise: AppEffect {
    .gap(
      .advertise(data: recording.advertising.data ?? [], scanResponse: recording.advertising.scanResponse ?? []))
  }

  private func effects(of input: GATTInput, _ now: SimInstant) -> [AppEffect] {
    switch input {
    case .readAsked(let request, let link, let key, let type, let offset):
      return read(request, link, Self.handle(key), type, offset, now)
    case .writesAsked(let request, let link, let type, let parts, let needsAnswer):
      return write(request, link, type, parts, needsAnswer: needsAnswer, now)
    case .subscription(let link, let key, _, let isOn): return listen(link, Self.handle(key), isOn, now)
    case .notifySubmitted(let link, _, _, let isAccepted):
      guard let index = links.firstIndex(where: { $0.link == link }) else { return [] }
      links[index].isSubmitting = false
      links[index].isFull = !isAccepted
      if isAccepted, !links[index].waiting.isEmpty { links[index].waiting.removeFirst() }
      return isAccepted ? submit(index) : []
    default: return []
    }
  }

  private static func handle(_ key: AttributeKey) -> ATT.Handle { ATT.Handle(truncatingIfNeeded: key.rawValue) }

  // MARK: What clients ask

  private func read(
    _ request: RequestID, _ link: LinkID, _ handle: ATT.Handle, _ type: BluetoothUUID, _ offset: Int, _ now: SimInstant
  ) -> [AppEffect] {
    if offset > 0 {
      let value = readValues[handle] ?? []
      let error = offset > value.count ? ATT.ErrorCode.invalidOffset.rawValue : nil
      return [.gatt(.answer(request, value: Array(value.dropFirst(offset)), error: error))]
    }
    guard let answer = Self.next(recording.reads[handle], &reads[handle, default: 0]) else {
      return [
        .report(AppReport(RecordedReport.unknownRead(type))),
        .gatt(.answer(request, value: [], error: ATT.ErrorCode.unlikelyError.rawValue)),
      ]
    }
    readValues[handle] = answer.octets
    schedule(.answer(request, answer.octets, answer.error), on: link, after: answer.delay, now)
    return []
  }

  private func write(
    _ request: RequestID, _ link: LinkID, _ type: BluetoothUUID, _ parts: [WritePart], needsAnswer: Bool,
    _ now: SimInstant
  ) -> [AppEffect] {
    var octets: [UInt8] = []
    for part in parts where part.attribute == parts[0].attribute && part.offset == octets.count {
      octets += part.octets
    }
    let write = Recording.Write(handle: parts.first.map { Self.handle($0.attribute) } ?? 0, octets: octets)
    guard let reaction = Self.next(recording.writes[write], &writes[write, default: 0]) else {
      let answer = needsAnswer ? [AppEffect.gatt(.answer(request, value: [], error: nil))] : []
      return answer + [.report(AppReport(RecordedReport.unknownWrite(type, octets)))]
    }
    if needsAnswer { schedule(.answer(request, [], reaction.error), on: link, after: reaction.delay, now) }
    agenda.begin(reaction.said, on: link, at: now)
    return []
  }

  private func listen(_ link: LinkID, _ handle: ATT.Handle, _ isOn: Bool, _ now: SimInstant) -> [AppEffect] {
    guard let index = links.firstIndex(where: { $0.link == link }) else { return [] }
    links[index].listens.removeAll { $0 == handle }
    if isOn {
      links[index].listens.append(handle)
      guard let said = Self.next(recording.streams[handle], &subscriptions[handle, default: 0]) else {
        return []
      }
      agenda.begin(said, on: link, at: now)
    } else {
      agenda.drop(handle, on: link)
      let first = links[index].isSubmitting ? 1 : 0
      let kept = links[index].waiting.enumerated().filter { $0.offset < first || $0.element.handle != handle }
      links[index].waiting = kept.map(\.element)
    }
    return []
  }

  /// The n-th of what was recorded, then the last again and again; nil: nothing was.
  private static func next<Element>(_ recorded: [Element]?, _ count: inout Int) -> Element? {
    guard let recorded, !recorded.isEmpty else { return nil }
    defer { count = min(count + 1, recorded.count - 1) }
    return recorded[count]
  }

  // MARK: What comes when it is due

  private func schedule(_ kind: RecordedAgenda.Kind, on link: LinkID, after delay: Int64, _ now: SimInstant) {
    agenda.add(
      RecordedAgenda.Entry(due: now + .nanoseconds(min(delay, Self.longestDelay)), link: link, kind: kind))
  }

  private func due(_ now: SimInstant) -> [AppEffect] {
    var effects: [AppEffect] = []
    for entry in agenda.take(until: now) {
      switch entry.kind {
      case .answer(let request, let octets, let error):
        effects.append(.gatt(.answer(request, value: octets, error: error)))
      case .value(let handle, let octets):
        guard let index = links.firstIndex(where: { $0.link == entry.link }), links[index].listens.contains(handle)
        else { continue }
        links[index].waiting.append((handle, octets))
        effects += submit(index)
      case .end: effects.append(.disconnect(entry.link))
      }
    }
    return effects
  }

  /// Hands the oldest value to the platform, one at a time: it says whether it takes it.
  private func submit(_ index: Int) -> [AppEffect] {
    guard !links[index].isSubmitting, !links[index].isFull, let value = links[index].waiting.first,
      let type = types[value.handle]
    else { return [] }
    links[index].isSubmitting = true
    return [
      .gatt(.notify(links[index].link, AttributeKey(Int(value.handle)), type: type, octets: value.octets))
    ]
  }
}
