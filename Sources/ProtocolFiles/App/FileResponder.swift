import AppSeam
import BluetoothWire
import SimKernel

/// The engine that a protocol file says enough for: it joins, and does what its claims of the kind “when … then …” ask
/// for, at once, with the values that their conditions name.
final class FileResponder: AppEngine {
  /// What a mutant does to the answer of one claim.
  struct Defect: Sendable {
    enum Kind: Sendable {
      case silent, twice, late
      /// The first number or text is another one.
      case wrong
    }

    var claim: String
    var kind: Kind
  }

  private let form: ProtocolForm
  private let role: AppRole
  private let defect: Defect?
  private var peer: FilePeer
  private var timers: [TimerID: [AppEffect]] = [:]
  private var nextTimer = 1
  private var effects: [AppEffect] = []
  /// What the newest input has brought, and what it has done itself because of that.
  private(set) var newest: [FileEvent] = []
  /// What has come that “after” asks for.
  private var came: [(event: String, link: LinkID)] = []
  private struct Companionship: Hashable {
    var claim: String
    var link: LinkID?
  }

  /// The newest events that claims are “with”: on each link, and of all.
  private var companions: [Companionship: FileEvent] = [:]
  /// After one input it answers this many events, its own among them, so that claims in a circle come to an end.
  private static let answerLimit = 256

  /// Links on which it can say something.
  var joined: [LinkID] { peer.links.filter { $0.isUp && $0.stage == .joined }.map(\.id) }

  init(_ form: ProtocolForm, _ role: AppRole, defect: Defect? = nil) {
    self.form = form
    self.role = role
    self.defect = defect
    peer = FilePeer(form, role)
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    effects = []
    newest = []
    switch input {
    case .launched: effects += peer.begin()
    case .radioPower(true): effects += peer.begin()
    case .user(let action):
      guard let action = action.among(FreeAction.self) else { break }
      respond(to: FileEvent(verb: .does, name: action.what, device: 0, values: action.values.fields), now)
    case .timer(let id):
      effects += timers.removeValue(forKey: id) ?? []
    default:
      let (asked, heard) = peer.take(input)
      effects += asked
      if case .connected(let link, _) = input {
        respond(to: FileEvent(verb: .links, name: "", device: 0, link: link, values: []), now)
      }
      if case .disconnected(let link, _) = input {
        respond(to: FileEvent(verb: .unlinks, name: "", device: 0, link: link, values: []), now)
        came.removeAll { $0.link == link }
        for known in companions.keys where known.link == link { companions[known] = nil }
      }
      for heard in heard {
        guard let packet = heard.packet else { continue }
        respond(
          to: FileEvent(verb: .hears, name: packet.name, device: 0, link: heard.link, values: packet.fields), now)
      }
    }
    return effects
  }

  /// What makes something happen that no claim asks for.
  func perform(_ example: EventExample, on link: LinkID) -> [AppEffect] {
    switch example {
    case .packet(let octets, let characteristic): (try? peer.say(octets, on: characteristic, to: link)) ?? []
    case .report(let report): [.report(AppReport(report))]
    }
  }

  /// Remembers what “with” may ask for, and what “after” may, for each link once.
  private func note(_ event: FileEvent) {
    for claim in form.claims where claim.role == role {
      guard let with = claim.with, event.fits(with) else { continue }
      companions[Companionship(claim: claim.id, link: event.link)] = event
      companions[Companionship(claim: claim.id, link: nil)] = event
    }
    for claim in form.claims where claim.role == role {
      guard case .follows(_, _, _, _, let after?) = claim.kind, let link = event.link, event.fits(after),
        !hasCome(after, on: link)
      else { continue }
      came.append((after.text, link))
    }
  }

  private func hasCome(_ event: EventForm, on link: LinkID) -> Bool {
    came.contains { $0.event == event.text && $0.link == link }
  }

  /// Links on which it can say something, and on which an event has come where one is given.
  private func links(after event: EventForm?) -> [LinkID] {
    joined.filter { link in event.map { hasCome($0, on: link) } ?? true }
  }

  /// The event that a claim is “with”: that of the same link before any other.
  private func companion(of claim: ProtocolForm.Claim, on link: LinkID?) -> FileEvent? {
    if claim.with == nil { return nil }
    return companions[Companionship(claim: claim.id, link: link)]
      ?? companions[Companionship(claim: claim.id, link: nil)]
  }

  private func respond(to event: FileEvent, _ now: SimInstant) {
    newest.append(event)
    note(event)
    if newest.count > Self.answerLimit { return }
    for claim in form.claims where claim.role == role {
      guard case .follows(let first, let second, let span, let toAll, let after) = claim.kind else { continue }
      let known = companion(of: claim, on: event.link)
      if claim.with != nil, known == nil { continue }
      guard event.fits(first, known) else { continue }
      if let after, let link = event.link, !hasCome(after, on: link) { continue }
      let kind = defect?.claim == claim.id ? defect?.kind : nil
      if kind == .silent { continue }
      for _ in 0..<(kind == .twice ? 2 : 1) {
        answer(
          event, known, second, toAll ? links(after: after) : nil, isWrong: kind == .wrong,
          now + (kind == .late ? span + .seconds(2) : .zero), now)
      }
    }
  }

  private func answer(
    _ event: FileEvent, _ known: FileEvent?, _ second: EventForm, _ all: [LinkID]?, isWrong: Bool,
    _ instant: SimInstant, _ now: SimInstant
  ) {
    var made: [AppEffect] = []
    var done: [FileEvent] = []
    var values = second.conditions.compactMap { condition -> (name: String, value: FieldValue)? in
      guard condition.comparison == .equal, !condition.isLength else { return nil }
      switch condition.operand {
      case .constant(let text): return (condition.field, TypeReader.number(text).map { .number($0) } ?? .text(text))
      case .field(let source, let field):
        let named = [event, known].compactMap(\.self).first { $0.name == source }
        return named?[field].map { (condition.field, $0) }
      }
    }
    if isWrong, !values.isEmpty { values[0].value = values[0].value.another }
    switch second.verb {
    case .shows:
      let shown = values.map { FreeValue($0.name, $0.value.text) }
      made = [.report(AppReport(FreeReport(second.name, shown)))]
      done = [FileEvent(verb: .shows, name: second.name, device: 0, values: shown.fields)]
    case .sends:
      let links = all ?? [event.link ?? peer.link?.id].compactMap(\.self)
      guard let packet = form.packets.first(where: { $0.name == second.name }),
        let octets = try? packet.encode(packet.completed(values))
      else { return }
      for link in links {
        made += (try? peer.say(octets, on: packet.characteristic, to: link)) ?? []
        done.append(
          FileEvent(verb: .sends, name: packet.name, device: 0, link: link, values: packet.completed(values)))
      }
    default: return
    }
    guard instant > now else {
      effects += made
      for event in done { respond(to: event, now) }
      return
    }
    for event in done { note(event) }
    let id = TimerID(nextTimer)
    nextTimer += 1
    timers[id] = made
    effects.append(.setTimer(id, at: instant))
  }
}

extension FieldValue {
  /// A value of the same kind that is not this one.
  var another: FieldValue {
    switch self {
    case .number(let number): .number(number == 0 ? 1 : number - 1)
    case .text(let text): .text(text.isEmpty ? "x" : String(text.dropLast()) + (text.last == "x" ? "y" : "x"))
    case .flag(let isOn): .flag(!isOn)
    case .octets(let octets): .octets(octets.isEmpty ? [1] : octets.dropLast() + [octets[octets.count - 1] ^ 1])
    case .list(let values): .list(values.isEmpty ? [.number(1)] : Array(values.dropLast()))
    case .decimal(let millionths): .decimal(millionths == 0 ? 1_000_000 : 0)
    case .map(let entries): .map(Array(entries.dropLast()))
    }
  }
}

extension ProtocolForm.Packet {
  /// Values for all fields: those given, with kinds that fit, and the least that is allowed for the others.
  func completed(_ values: [(name: String, value: FieldValue)]) -> [(name: String, value: FieldValue)] {
    fields.compactMap { field in
      let given = values.first { $0.name == field.name }?.value
      if let given { return (field.name, given.fitted(to: field.kind)) }
      // What says how long another field or the packet is follows from that.
      if ownLength?.field == field.name { return nil }
      if fields.contains(where: { $0.kind.extent == .field(field.name) }) { return nil }
      return field.least.map { (field.name, $0) }
    }
  }
}

extension ProtocolForm.Field {
  /// The least value that is allowed; nil: it follows from others.
  var least: FieldValue? {
    if let constant { return constant }
    let low = range?.lowerBound ?? 0
    switch kind {
    case .integer, .number: return .number(low)
    case .decimal: return .decimal(max(-9_000_000_000_000, min(low, 9_000_000_000_000)) * 1_000_000)
    case .map: return .map([])
    case .flag: return .flag(false)
    case .text: return .text(String(repeating: "x", count: Int(clamping: max(0, low))))
    case .octets(.fixed(let count)): return .octets(Array(repeating: 0, count: count))
    case .octets: return .octets(Array(repeating: 0, count: Int(clamping: max(0, low))))
    case .list: return .list([])
    case .checksum: return nil
    }
  }
}

extension FieldValue {
  /// The same as the kind of a field: words of scenarios may be numbers or texts.
  func fitted(to kind: ProtocolForm.Field.Kind) -> FieldValue {
    switch (kind, self) {
    case (.text, .number(let number)): .text(String(number))
    case (.octets, .text(let text)): [UInt8](hexadecimalDigits: text).map { .octets($0) } ?? self
    case (.flag, .text(let text)): .flag(text == "yes" || text == "true")
    case (.flag, .number(let number)): .flag(number != 0)
    case (.decimal, .number(let number)): DecimalText.millionths(String(number)).map { .decimal($0) } ?? self
    case (.decimal, .text(let text)): DecimalText.millionths(text).map { .decimal($0) } ?? self
    case (.integer, .text(let text)), (.number, .text(let text)): TypeReader.number(text).map { .number($0) } ?? self
    case (.list(let element, _), .text(let text)):
      .list(text.split(separator: " ").map { FieldValue.text(String($0)).fitted(to: element) })
    default: self
    }
  }
}
