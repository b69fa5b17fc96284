import AppSeam
import SimKernel

/// A reference that breaks one claim of what must not be, or sends octets that are no packet: once on each link, when
/// its client has subscribed.
final class ClaimBreaker: AppEngine {
  struct Breach: Sendable {
    /// One after the other.
    var examples: [EventExample]
    /// Nil: at once.
    var after: EventForm?
    /// The second of two of these reports comes before the first, on every other device.
    var swapped: EventForm?
  }

  private let breach: Breach
  private let responder: FileResponder
  private let swaps: Bool
  private var done: Set<LinkID> = []
  private var held: AppEffect?

  init(_ form: ProtocolForm, _ configuration: AppConfiguration, _ breach: Breach) {
    self.breach = breach
    responder = FileResponder(form, configuration.role)
    swaps = breach.swapped != nil && configuration.device % 2 == 0
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    if case .launched = input { done = [] }
    var effects = swaps ? swapped(responder.handle(input, at: now)) : responder.handle(input, at: now)
    for link in responder.joined where !done.contains(link) {
      if let after = breach.after, !responder.newest.contains(where: { $0.fits(after) && $0.link ?? link == link }) {
        continue
      }
      done.insert(link)
      for example in breach.examples { effects += responder.perform(example, on: link) }
    }
    return effects
  }

  private func swapped(_ effects: [AppEffect]) -> [AppEffect] {
    effects.flatMap { effect -> [AppEffect] in
      guard case .report(let report) = effect, report.among(FreeReport.self)?.what == breach.swapped?.name else {
        return [effect]
      }
      guard let first = held else {
        held = effect
        return []
      }
      held = nil
      return [effect, first]
    }
  }
}

extension ClaimBreaker.Breach {
  /// - Returns: nil for a claim that “when … then …” says, and for one that no engine can break by itself.
  init?(of claim: ProtocolForm.Claim, in form: ProtocolForm) {
    func example(_ event: EventForm, _ values: [(name: String, value: FieldValue)] = []) -> EventExample? {
      EventExample(of: event, in: form, role: claim.role, values: values)
    }
    switch claim.kind {
    case .follows: return nil
    case .never(let event), .neverBefore(let event, _):
      guard let example = example(event) else { return nil }
      self.init(examples: [example])
    case .neverAfter(let event, let other):
      guard let example = example(event) else { return nil }
      self.init(examples: [example], after: other)
    case .atMost(let count, let event, _, _):
      guard count < 1_000, let example = example(event) else { return nil }
      self.init(examples: Array(repeating: example, count: count + 1))
    case .rises(let event, let field):
      guard let high = example(event, [(field, .number(2))]), let low = example(event, [(field, .number(1))]) else {
        return nil
      }
      self.init(examples: [high, low])
    case .agree(let event, _):
      guard event.verb == .shows else { return nil }
      self.init(examples: [], swapped: event)
    }
  }
}
