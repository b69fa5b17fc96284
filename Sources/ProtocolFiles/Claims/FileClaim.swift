import AppSeam
import Bench
import Conformance
import Judging
import SimKernel

/// An oracle of a claim in a protocol file; its subclasses are handed less.
class FileClaim: Oracle {
  static let id = "FileClaim"
  static let claim = "A claim of a protocol file holds."
  static let clause = ""
  static let nature = OracleNature.safety
  class var interests: [TraceKind] {
    [.launched, .user, .link, .value, .answer, .transmit, .presence, .otherReport]
  }
  static let restsOn = ["shows"]

  let description: OracleDescription
  let ledger: OracleLedger
  private let claim: ProtocolForm.Claim
  private let state: FileRunState
  /// By device: it has the claim's role.
  private let isOwn: [Bool]
  /// By number: the claim looks at such events.
  private let wanted: [Bool]
  /// Something that is due.
  private struct Due {
    var event: FileEvent
    /// What the claim was “with” then.
    var known: FileEvent?
    /// Where it must be sent; nil: anywhere.
    var link: LinkID?
    /// The link without which it cannot be; nil: it needs none.
    var home: LinkID?
    var record: TraceRecord
    var obligation: Obligation
    /// The newest event of the name that is awaited, which was not this one.
    var near: FileEvent?
  }

  private var due: [Due] = []
  /// What has happened that “before” and “after” ask for, and how often something came, by device and link.
  private var seen: [Scope: [FileEvent]] = [:]
  private var counts: [Scope: [SimInstant]] = [:]
  private var highest: [Scope: FieldValue] = [:]
  /// The newest events that the claim is “with”.
  private var companions: [Scope: FileEvent] = [:]
  /// By device: the number of each event that it has shown; negative where it came more than once.
  private var places: [Int: [String: Int]] = [:]
  /// By pair of devices: the last place in what the second has shown at which both agree.
  private var agreed: [Pair: Int] = [:]

  private struct Pair: Hashable {
    var device: Int
    var other: Int
  }

  private struct Scope: Hashable {
    var device: Int
    var link: LinkID?
    /// The field of “for each”.
    var value: FieldValue?
  }

  /// Events of “before” and “after” that are remembered by device and link at least; at most twice as many are.
  private static let seenLimit = 256
  /// Values of “for each” that are counted by device and link.
  private static let valueLimit = 10_000

  init(_ claim: ProtocolForm.Claim, state: FileRunState) {
    self.claim = claim
    self.state = state
    isOwn = state.parties.map { $0.role == claim.role }
    wanted = state.numbers.all(of: claim.events)
    description = OracleDescription(
      id: claim.id, claim: claim.text, clause: claim.clause, nature: claim.kind.isLiveness ? .liveness : .safety,
      restsOn: claim.kind.reads(.shows) ? ["shows"] : [])
    ledger = OracleLedger(oracle: claim.id, clause: claim.clause)
  }

  /// The oracle of a claim, of the class that is handed no more than the claim looks at.
  static func make(_ claim: ProtocolForm.Claim, state: FileRunState) -> FileClaim {
    let verbs = Set(claim.events.map(\.verb)).subtracting([.links, .unlinks])
    if verbs.isSubset(of: [.sends]) { return SendingClaim(claim, state: state) }
    if verbs.isSubset(of: [.sends, .hears]) { return PacketClaim(claim, state: state) }
    if verbs.isDisjoint(with: [.sends, .hears]) { return ScreenClaim(claim, state: state) }
    return FileClaim(claim, state: state)
  }

  var deadline: SimInstant {
    due.isEmpty ? .distantFuture : due.reduce(.distantFuture) { min($0, $1.obligation.deadline) }
  }

  func observe(_ record: TraceRecord) {
    guard isOwn.indices.contains(record.device), isOwn[record.device] else { return }
    guard record.beginsOrEnds || state.news.contains(where: { wanted[$0.number] }) else { return }
    // What never happens is judged of each launch, where nothing like it may.
    if case .input(.launched) = record.event, case .never(let form) = claim.kind, !form.verb.isNamed { passed() }
    if case .input(.launched) = record.event, !state.parties[record.device].isRestored {
      forget { $0.device == record.device }
    }
    if case .input(.disconnected(let link, _)) = record.event {
      // What was not due when the link ended is nobody's fault.
      due.removeAll { $0.event.device == record.device && $0.home == link }
      defer { forget { $0.device == record.device && $0.link == link } }
      for event in state.news where wanted[event.number] { judge(event, record) }
      return
    }
    for event in state.news where wanted[event.number] { judge(event, record) }
  }

  private func forget(_ isGone: (Scope) -> Bool) {
    for scope in seen.keys where isGone(scope) { seen[scope] = nil }
    for scope in counts.keys where isGone(scope) { counts[scope] = nil }
    for scope in highest.keys where isGone(scope) { highest[scope] = nil }
    for scope in companions.keys where isGone(scope) { companions[scope] = nil }
    due.removeAll { isGone(Scope(device: $0.event.device, link: $0.home)) }
    for device in places.keys where isGone(Scope(device: device, link: nil)) {
      places[device] = nil
      for pair in agreed.keys where pair.device == device || pair.other == device { agreed[pair] = nil }
    }
  }

  private func judge(_ event: FileEvent, _ record: TraceRecord) {
    let scope = Scope(device: event.device, link: event.link)
    var known: FileEvent?
    if let with = claim.with {
      if event.fits(with) {
        companions[scope] = event
        companions[Scope(device: event.device, link: nil)] = event
      }
      known = companions[scope] ?? companions[Scope(device: event.device, link: nil)]
      if known == nil { return }
    }
    switch claim.kind {
    case .follows(let first, let second, let span, let toAll, let after):
      answer(event, second, record)
      if event.fits(first, known), after == nil || event.link == nil || hasSeen(scope) {
        begin(event, known, second, span, toAll, hasAfter: after != nil, record)
      }
      if let after, event.fits(after, known), !hasSeen(scope) { note(event, scope) }
    case .never(let form):
      guard event.isNamed(as: form) else { return }
      guard event.fits(form, known) else { return passed() }
      fail(record, "that it never \(form.text)" + (known.map { " (it \($0.text))" } ?? ""), event)
    case .neverBefore(let form, let other):
      // What came on a link before its app was launched again, nobody has seen.
      let isInherited = event.link.flatMap { state.parties[event.device].link($0) }?.isInherited ?? false
      if event.fits(form, known), !isInherited {
        came(other, before: event, known) ? passed() : fail(record, "first that it \(other.text)", event)
      }
      // Which one it is that must have come may show later only.
      if other.namesOthers ? event.isNamed(as: other) : event.fits(other, known) && !hasSeen(scope) {
        note(event, scope)
      }
    case .neverAfter(let form, let other):
      if event.fits(form, known) {
        let before = seen[scope]?.last ?? seen[Scope(device: event.device, link: nil)]?.last
        if let before { fail(record, "nothing like it after it \(before.text)", event) } else { passed() }
      }
      if event.fits(other, known) { note(event, scope) }
    case .atMost(let count, let form, let span, let each):
      guard event.fits(form, known) else { return }
      var scope = scope
      if let each {
        guard let value = event[each] else { return }
        scope.value = value
        if counts[scope] == nil, counts.count >= Self.valueLimit { return }
      }
      if counts[scope]?.count ?? 0 <= count || span != nil { counts[scope, default: []].append(record.instant) }
      if let span { counts[scope]?.removeAll { record.instant - $0 > span } }
      let came = counts[scope]?.count ?? 0
      came > count
        ? fail(
          record,
          "at most \(count)" + (each.map { " for each \($0)" } ?? "") + (span.map { " in \($0.shortSeconds) s" } ?? ""),
          event, "number \(came): ")
        : passed()
    case .rises(let form, let field):
      guard event.fits(form, known), let value = event[field] else { return }
      if let before = highest[scope], let fallen = value.fallen(since: before) {
        fail(record, "\(field) of \(fallen) or more", event)
      } else {
        passed()
      }
      highest[scope] = value
    case .agree(let form, let field): if event.fits(form, known) { compare(event, by: field, record) }
    }
  }

  private func hasSeen(_ scope: Scope) -> Bool { seen[scope]?.isEmpty == false }

  /// Whether what must come first has come: on the same link, or anywhere at the device where one of both has no link.
  private func came(_ form: EventForm, before event: FileEvent, _ known: FileEvent?) -> Bool {
    func isOf(_ scope: Scope) -> Bool {
      scope.device == event.device && (scope.link == nil || event.link == nil || scope.link == event.link)
    }
    // The newest one it is mostly.
    return seen.contains { scope, events in isOf(scope) && events.last?.fits(form, event, known) ?? false }
      || seen.contains { scope, events in isOf(scope) && events.contains { $0.fits(form, event, known) } }
  }

  private func passed() { ledger.judged += 1 }

  private func note(_ event: FileEvent, _ scope: Scope) {
    seen[scope, default: []].append(event)
    if seen[scope, default: []].count >= 2 * Self.seenLimit { seen[scope]?.removeFirst(Self.seenLimit) }
  }

  private func fail(_ record: TraceRecord, _ expected: String, _ event: FileEvent, _ before: String = "") {
    ledger.fail(record, expected: expected, actual: before + event.text)
  }

  // MARK: What follows

  private func begin(
    _ event: FileEvent, _ known: FileEvent?, _ second: EventForm, _ span: SimDuration, _ toAll: Bool, hasAfter: Bool,
    _ record: TraceRecord
  ) {
    let device = state.parties[event.device]
    guard second.verb == .sends else {
      if !device.isForeign {
        due.append(
          Due(
            event: event, known: known, record: record,
            obligation: Obligation(device.running, within: span, from: record.instant)))
      }
      return
    }
    // Nobody can send without a link, or tell who has not subscribed.
    let able = device.links.filter { $0.isUp && ($0.isSubscribed || !mustBeAsked(second)) }
    let links = toAll ? able : event.link.map { id in able.filter { $0.id == id } } ?? Array(able.suffix(1))
    for link in links where !hasAfter || hasSeen(Scope(device: event.device, link: link.id)) {
      due.append(
        Due(
          event: event, known: known, link: toAll || event.link != nil ? link.id : nil, home: link.id, record: record,
          obligation: Obligation(link.chance, within: span, from: record.instant)))
    }
  }

  /// Whether a packet is notified, so that its receiver must have subscribed.
  private func mustBeAsked(_ event: EventForm) -> Bool {
    let form = state.codec.form
    guard let packet = form.packets.first(where: { $0.name == event.name }) else { return false }
    return form.services.contains { service in
      service.role == claim.role && service.characteristics.contains { $0.uuid == packet.characteristic }
    }
  }

  private func answer(_ event: FileEvent, _ second: EventForm, _ record: TraceRecord) {
    let place = due.firstIndex { waiting in
      waiting.event.device == event.device && (waiting.link == nil || waiting.link == event.link)
        && event.fits(second, waiting.event, waiting.known)
    }
    guard let place else {
      guard event.isNamed(as: second) else { return }
      for place in due.indices where due[place].event.device == event.device { due[place].near = event }
      return
    }
    due.remove(at: place)
    passed()
  }

  func expire(at now: SimInstant) {
    guard case .follows(_, let second, let span, _, _) = claim.kind else { return }
    for waiting in due where waiting.obligation.isDue(at: now) {
      let link = waiting.link.map { " on link \($0.rawValue)" } ?? ""
      ledger.fail(
        at: waiting.obligation.deadline, device: waiting.event.device, record: waiting.record.sequence,
        since: waiting.record.instant,
        unless: second.verb == .shows ? state.parties[waiting.event.device].unsaid("shows") : [],
        expected: "it \(second.text)\(link) within \(span.shortSeconds) s after it \(waiting.event.text)",
        actual: "nothing like it came" + (waiting.near.map { ", but it \($0.text)" } ?? ""))
    }
    due.removeAll { $0.obligation.isDue(at: now) }
  }

  func finish(_ outcome: RunOutcome) { ledger.open += due.count }

  // MARK: Agreement

  /// Events of a device that are compared; a run has fewer, and memory does not grow with its length.
  private static let placeLimit = 10_000

  /// Two devices disagree where they show two events in another order. What one of them does not show is left to other
  /// claims: it may have come later.
  private func compare(_ event: FileEvent, by field: String?, _ record: TraceRecord) {
    let text = field.map { event[$0]?.text ?? "" } ?? event.text
    let own = places[event.device]?.count ?? 0
    if own == Self.placeLimit { return }
    let isRepeat = places[event.device]?[text] != nil
    places[event.device, default: [:]][text] = isRepeat ? -1 : own
    if isRepeat { return }
    for (device, shown) in places.sorted(by: { $0.key < $1.key }) where device != event.device {
      guard let place = shown[text], place >= 0 else { continue }
      let pair = Pair(device: event.device, other: device)
      if let before = agreed[pair], place < before {
        fail(record, "the order of \(state.header.name(of: device)), which has shown it before the one before", event)
      } else {
        passed()
      }
      agreed[pair] = max(place, agreed[pair] ?? place)
    }
  }
}

extension ProtocolForm.Claim {
  /// The events that it looks at.
  var events: [EventForm] { kind.events + (with.map { [$0] } ?? []) }
}

extension ProtocolForm.Claim.Kind {
  /// The events that it looks at, “with” aside.
  var events: [EventForm] {
    switch self {
    case .follows(let first, let second, _, _, let after): [first, second] + (after.map { [$0] } ?? [])
    case .never(let event), .atMost(_, let event, _, _), .rises(let event, _), .agree(let event, _): [event]
    case .neverBefore(let event, let other), .neverAfter(let event, let other): [event, other]
    }
  }

  func reads(_ verb: EventForm.Verb) -> Bool { events.contains { $0.verb == verb } }
}

extension EventForm {
  /// Whether a condition names a field of another event.
  fileprivate var namesOthers: Bool { conditions.contains { if case .field = $0.operand { true } else { false } } }
}

extension FieldValue {
  /// The number that is less than it was, as it was; of a map, with its name. Nil: none is.
  func fallen(since before: FieldValue) -> String? {
    switch (before, self) {
    case (.number(let old), .number(let new)), (.decimal(let old), .decimal(let new)):
      return new < old ? before.text : nil
    case (.map(let old), .map(let new)):
      for entry in old {
        let now = new.first { $0.name == entry.name }?.value ?? .number(0)
        if let text = now.fallen(since: entry.value) { return "\(entry.name) \(text)" }
      }
      return nil
    default: return nil
    }
  }
}

extension TraceRecord {
  /// A launch or the end of a link, after which things are forgotten.
  fileprivate var beginsOrEnds: Bool {
    switch event {
    case .input(.launched), .input(.disconnected): true
    default: false
    }
  }
}

/// About what is sent, and links.
private final class SendingClaim: FileClaim {
  override class var interests: [TraceKind] { [.launched, .link, .answer, .transmit] }
}

/// About packets and links.
private final class PacketClaim: FileClaim {
  override class var interests: [TraceKind] { [.launched, .link, .value, .answer, .transmit] }
}

/// About what people do, screens show and apps ask of their phones, and links.
private final class ScreenClaim: FileClaim {
  override class var interests: [TraceKind] { [.launched, .user, .link, .presence, .otherReport] }
}

/// What each app of a protocol file sends is a packet of the file.
final class OnlyPackets: Oracle {
  static let id = "OnlyPackets"
  static let claim = "What is sent is packets of the protocol file, from who may send them, on their characteristics."
  static let clause = ""
  static let nature = OracleNature.safety
  static let interests: [TraceKind] = [.answer, .transmit]

  let ledger = makeLedger()
  private let state: FileRunState

  init(state: FileRunState) { self.state = state }

  func observe(_ record: TraceRecord) {
    ledger.judged += state.news.count { $0.verb == .sends }
    for refusal in state.refusals {
      ledger.fail(
        record, expected: "a packet of \(state.codec.form.title)", actual: "what is none: \(refusal.reason)")
    }
  }
}

extension OracleReader {
  /// Judges an app of a protocol file.
  static func file(_ form: ProtocolForm) -> OracleReader {
    OracleReader(of: form.name) { header in
      let state = FileRunState(form, header: header)
      return (state, [OnlyPackets(state: state)] + form.claims.map { FileClaim.make($0, state: state) })
    }
  }
}
