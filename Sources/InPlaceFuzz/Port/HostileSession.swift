package import Bench
package import Conformance
package import SimKernel
package import VirtualRadio

/// A live session in which a device is hostile from a state on: an attack begins every now and then, until so many were
/// made or nobody is there any more to attack.
///
/// Somebody from outside has a seat, so nothing here can be forked and nothing is the same twice. What is kept is what
/// was sent and when.
package final class HostileSession {
  /// Where the attacks come from.
  package enum Source {
    /// Drawn one after the other, a pause between the beginnings of two.
    case drawn(count: Int, pause: SimDuration, numbers: Int, corpus: [Attack])
    case written([TimedAttack])
  }

  /// How a session came to its end.
  package enum Ending: Hashable, Sendable {
    /// All attacks were made and their time is over.
    case done
    /// The condition did not hold within the time for it.
    case noState(detail: String)
    /// No link was left on which the device could send.
    case noLink
    /// Whoever watches the other side wanted no more.
    case watched
    /// The scenario was over first.
    case scenarioOver
  }

  private let session: LiveSession
  private let plan: FuzzPlan
  private let source: Source
  private let book: UnitBook
  private let interceptor: Interceptor?
  private let outward: OutwardTap?
  private let seeds: [[UInt8]]
  /// Asked every 50 ms of the session: whether it shall go on.
  private let watch: () -> Bool
  /// Told of all attacks so far, before the newest of them is made.
  private let before: ([TimedAttack]) -> Void
  private var answers: AnswerBook
  private var nextLook = SimInstant.zero
  private var linkSeen = SimInstant.zero
  private var due: SimInstant?
  package private(set) var state: SimInstant?
  package private(set) var attacks: [TimedAttack] = []
  /// Attacks after which something was said that had not been said before.
  package private(set) var fresh: [Int] = []
  package private(set) var ending: Ending?

  /// How long the state may be waited for, and how long a link may be away.
  private static let patience = SimDuration.seconds(30)
  private static let lookInterval = SimDuration.milliseconds(50)

  /// - Parameters:
  ///   - seeds: units that attacks may be made of, besides those that pass.
  ///   - answers: what was said in earlier sessions.
  ///   - before: told of all attacks so far, before the newest of them is made.
  package init(
    _ session: LiveSession, plan: FuzzPlan, protocols: [AppProtocol], source: Source, seeds: [[UInt8]],
    answers: AnswerBook, watch: @escaping () -> Bool, before: @escaping ([TimedAttack]) -> Void = { _ in }
  ) throws(FuzzObstacle) {
    self.session = session
    self.plan = plan
    self.source = source
    self.seeds = seeds
    self.answers = answers
    self.watch = watch
    self.before = before
    let device = plan.scenario.devices[plan.device]
    if plan.seam == .hci {
      let tap = OutwardTap(device: plan.device)
      (outward, interceptor, book) = (tap, nil, tap.book)
    } else {
      let app = protocols.first { $0.name == device.app }
      let framing = app?.framing.map { PacketAssembly(framing: $0, dialects: plan.scenario.devices.map(\.dialect)) }
      if plan.seam == .packet, framing == nil { throw FuzzObstacle.noPackets(device: device.name) }
      let interceptor = Interceptor(
        world: session.world, device: plan.device, seam: plan.seam, framing: framing, keepsBook: true)
      (outward, self.interceptor, book) = (nil, interceptor, interceptor.book)
    }
  }

  package var answersSoFar: AnswerBook { answers }

  /// Ends the session.
  package func finish() -> RunOutcome { session.finish() }

  // MARK: A paced world

  package var now: SimInstant { session.now }

  package var nextInstant: SimInstant? {
    guard ending == nil, let next = session.nextInstant else { return nil }
    return [next, nextLook, due, outward?.nextInstant].compactMap { $0 }.min().map { max($0, now) }
  }

  package var endInstant: SimInstant? { ending == nil ? session.endInstant : now }

  package func advance(to instant: SimInstant) {
    while ending == nil, let next = nextInstant, next <= instant {
      session.advance(to: next)
      outward?.release(at: now)
      if session.isOver { ending = .scenarioOver }
      look()
      if ending == nil, let due, due <= now { strike() }
    }
    if ending == nil { session.advance(to: instant) }
  }

  package func enter(_ event: ForeignEvent, device: Int) {
    session.enter(event, device: device)
    guard case .packet(let packet) = event, answers.note(packet), state != nil, !attacks.isEmpty else { return }
    if fresh.last != attacks.count - 1 { fresh.append(attacks.count - 1) }
  }

  package func popOutward() -> (device: Int, packet: [UInt8])? {
    guard let outward else { return session.popOutward() }
    while let (device, packet) = session.popOutward() { outward.take(packet, device: device, at: now) }
    return outward.pop()
  }

  // MARK: Attacks

  private func look() {
    guard now >= nextLook else { return }
    nextLook = now + Self.lookInterval
    if !watch() {
      ending = .watched
      return
    }
    guard let state else {
      if session.world.holds(plan.condition), !book.routes.isEmpty {
        self.state = now
        linkSeen = now
        planNext()
      } else if now >= .zero + Self.patience {
        ending = .noState(detail: session.world.detail(of: plan.condition))
      }
      return
    }
    if outward != nil || book.routes.contains(where: session.world.isUp) { linkSeen = now }
    if due == nil, now >= (attacks.last.map { state + $0.after } ?? state) + plan.span { ending = .done }
    if now >= linkSeen + plan.span + .seconds(3) { ending = .noLink }
  }

  /// When the next attack begins; nil when there are no more.
  private func planNext() {
    guard let state else { return }
    switch source {
    case .drawn(let count, let pause, _, _): due = attacks.count < count ? now + pause : nil
    case .written(let list): due = attacks.count < list.count ? state + list[attacks.count].after : nil
    }
  }

  private func strike() {
    guard let state else { return }
    let attack: Attack
    switch source {
    case .drawn(_, _, let numbers, let corpus):
      let draw = AttackDraw(
        seed: plan.seed, seam: plan.seam, routes: max(1, book.routes.count), pool: book.units,
        own: book.own, drawn: seeds)
      attack = draw.attack(numbers + attacks.count, corpus: corpus + fresh.map { attacks[$0].attack })
    case .written(let list): attack = list[attacks.count].attack
    }
    attacks.append(TimedAttack(after: now - state, attack: attack))
    before(attacks)
    interceptor?.begin(attack)
    outward?.begin(attack, at: now)
    planNext()
  }
}
