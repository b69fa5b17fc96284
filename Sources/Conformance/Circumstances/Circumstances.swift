import Bench
package import SimKernel

/// All circumstances of a run, in the order in which they began.
package struct Circumstances: Sendable {
  /// What is asked: something that is wrong with a run.
  package struct Question: Sendable {
    package var instant: SimInstant
    /// Since when something was missing; nil: the beginning of the run.
    package var since: SimInstant?
    /// The device that is blamed, or that misses something; nil: the whole run.
    package var device: Int?
    /// Something did not come; else something came that is wrong.
    package var isAbsence: Bool
    /// It was so before, and is to be so all the time.
    package var isBreach: Bool
    /// An oracle blames the device: what others look for and do not find, and what a person asks of it, is no reason.
    package var isBlame: Bool

    package init(
      at instant: SimInstant, since: SimInstant?, device: Int?, isAbsence: Bool, isBreach: Bool = false,
      isBlame: Bool = false
    ) {
      self.instant = instant
      self.isBlame = isBlame
      self.isBreach = isBreach
      self.since = since
      self.device = device
      self.isAbsence = isAbsence
    }
  }

  /// What lasts for less explains nothing that is missing.
  private static let shortest = SimDuration.seconds(1)

  package private(set) var all: [Circumstance]
  private let links: [LinkSpan]
  /// Devices whose person has ended what they did, and that look for nobody.
  private let hasLeft: Set<Int>
  /// When each device has vanished; nil: it is there.
  private let gone: [SimInstant?]
  private let header: TraceHeader

  init(
    _ all: [Circumstance], links: [LinkSpan], hasLeft: Set<Int>, gone: [SimInstant?], _ header: TraceHeader
  ) {
    self.links = links
    self.hasLeft = hasLeft
    self.gone = gone
    self.header = header
    self.all = all.enumerated().sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }.map(\.element)
  }

  /// Without those that are the plain course of things in a protocol.
  package func without(_ kinds: Set<Circumstance.Kind>) -> Circumstances {
    var rest = self
    if !kinds.isEmpty { rest.all.removeAll { kinds.contains($0.kind) } }
    return rest
  }

  /// Those of one device.
  package func of(_ device: Int) -> Circumstances {
    var own = self
    own.all.removeAll { $0.device != device }
    return own
  }

  /// What came first and explains the rest; nil: nothing that is known does.
  ///
  /// A mistake of the device, or of a device towards it, comes before what only explains that something is missing; of
  /// equals the earlier one.
  package func reason(for question: Question) -> Circumstance? {
    let known = all.filter { $0.holds(at: question.instant) && concerns($0, question) }
    if let mistake = known.first(where: \.kind.isMistake) { return mistake }
    // Who ends a link ends what holds with it.
    let end = known.last { $0.kind == .leftLink && question.instant - $0.begin <= Self.shortest }
    if question.isBreach, let end { return end }
    // A refusal explains what is wrong right after it.
    let refusal = known.last { $0.kind == .requestRefused && question.instant - $0.begin <= Self.shortest }
    guard question.isAbsence else { return refusal }
    let open = known.filter {
      $0.kind.isSudden || question.instant - max($0.begin, question.since ?? .zero) >= Self.shortest
    }
    let first = Self.first(of: open)
    return first.map { unsubscribed(before: $0) ?? $0 }
  }

  private static func first(of known: [Circumstance]) -> Circumstance? {
    known.enumerated().min { ($0.element.kind.rank, $0.offset) < ($1.element.kind.rank, $1.offset) }?.element
  }

  /// Where nothing is known of a device itself: what holds another one up for which it may wait.
  package func elsewhere(for question: Question) -> Circumstance? {
    guard let device = question.device, question.isAbsence else { return nil }
    return Self.first(
      of: all.filter { known in
        [.slowLink, .slowInterval, .slowTransfer, .lossyLink].contains(known.kind) && known.holds(at: question.instant)
          && question.instant - max(known.begin, question.since ?? .zero) >= Self.shortest
          && header.devices[device].lobby == header.devices[known.device].lobby
          && header.devices[device].app == header.devices[known.device].app
      })
  }

  /// What an app did not subscribe to on a link comes before that it has ended the link, which it had for long.
  private func unsubscribed(before told: Circumstance) -> Circumstance? {
    guard told.kind == .leftLink else { return nil }
    return all.last { known in
      known.kind == .notSubscribed && known.device == told.device && known.peer == told.peer
        && told.begin - known.begin >= .seconds(5) && known.end.map { $0 >= told.begin } ?? true
    }
  }

  /// What else is known of those whom a question is about, the most telling first, one of each kind.
  package func others(for question: Question, but told: Circumstance?, limit: Int) -> [Circumstance] {
    let known = all.enumerated().filter { _, circumstance in
      circumstance != told && circumstance.holds(at: question.instant) && concerns(circumstance, question)
        && (circumstance.kind.isMistake || question.instant - circumstance.begin >= Self.shortest)
    }
    let ordered = known.sorted { ($0.element.kind.rank, $0.offset) < ($1.element.kind.rank, $1.offset) }.map(\.element)
    var others: [Circumstance] = []
    for circumstance in ordered
    where circumstance.kind != told?.kind && !others.contains(where: { $0.kind == circumstance.kind }) {
      others.append(circumstance)
    }
    return Array(others.prefix(limit))
  }

  /// What is wrong by itself, and what holds at the end of the run; who advertises then says nothing.
  package func noticed(at end: SimInstant) -> [Circumstance] {
    all.filter { circumstance in
      !circumstance.kind.isUsual && circumstance.holds(at: end)
        && (circumstance.kind.isMistake || end - circumstance.begin >= Self.shortest)
    }
  }

  private func concerns(_ circumstance: Circumstance, _ question: Question) -> Bool {
    // Who is not on the air keeps out only those that have no link with it.
    if circumstance.kind.keepsOthersOut, question.device == nil || question.device == circumstance.device {
      return missesLink(with: circumstance.device, at: question.instant)
    }
    guard let device = question.device else { return true }
    if question.isBlame, circumstance.kind == .userUnanswered { return false }
    if circumstance.device == device { return true }
    if question.isBlame, [.notFound, .connecting].contains(circumstance.kind) { return false }
    // What a person wants of an app, who is elsewhere, and who is gone, may be what everybody else waits for.
    let isOfAll = circumstance.kind == .notSentAgain && circumstance.link == nil
    if isOfAll || circumstance.kind.concernsAll {
      return header.devices[device].lobby == header.devices[circumstance.device].lobby
    }
    // What a scanner does not do is nothing that its advertiser can be asked about.
    if let peer = circumstance.peer { return circumstance.kind != .notConnected && peer == device }
    guard circumstance.link == nil, header.devices.indices.contains(device) else { return false }
    let (own, other) = (header.devices[device], header.devices[circumstance.device])
    return own.speaks(to: other) && own.lobby == other.lobby
      && !isLinked(device, circumstance.device, at: question.instant)
  }

  /// Whether somebody of its lobby, who has the other side of its protocol, has no link with a device.
  private func missesLink(with device: Int, at instant: SimInstant) -> Bool {
    header.devices.indices.contains { other in
      header.devices[other].speaks(to: header.devices[device])
        && header.devices[other].lobby == header.devices[device].lobby && !hasLeft.contains(other)
        && gone[other].map { $0 > instant } ?? true
        && !isLinked(other, device, at: instant)
    }
  }

  /// Who has a link misses no advertiser.
  private func isLinked(_ device: Int, _ peer: Int, at instant: SimInstant) -> Bool {
    links.contains { link in
      link.device == device && link.peer == peer && link.begin <= instant && link.end.map { $0 > instant } ?? true
    }
  }
}

extension TraceHeader.Device {
  /// Whether it has the other side of the same protocol.
  func speaks(to other: Self) -> Bool { app != nil && app == other.app && role != other.role }
}
