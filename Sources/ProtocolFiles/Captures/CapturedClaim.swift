import AppSeam
import CaptureCheck
import Conformance
import Judging
import SimKernel

/// One claim of a protocol file in captures, on each link by itself.
///
/// A capture shows what was on a link, and not when apps were told of it or whether they ran. So what is missing from
/// it leaves a claim open, and nothing is wrong that the radio, a queue or a sleeping app can explain:
/// - What must come before something is missed only where the capture has the link from its beginning, without gaps.
/// - What must follow is missed only where the device sends something else later than the claim allows and the radio
///   can hold back: after that span and the link's supervision timeout. What comes late with nothing before it stays
///   open.
/// - What must not come after something that was heard is wrong only after the supervision timeout.
final class CapturedClaim {
  let claim: ProtocolForm.Claim
  let ledger: OracleLedger
  private var links: [Int: Story] = [:]

  /// What a link has shown.
  fileprivate struct Story {
    var seen: [FileEvent] = []
    /// When something came that must not be followed.
    var ended: TrafficMoment?
    var due: [(event: FileEvent, moment: TrafficMoment)] = []
    var counts: [FieldValue?: [TrafficMoment]] = [:]
    var highest: FieldValue?
  }

  /// Events that are remembered of a link.
  private static let limit = 256
  /// Where the capture does not show the link's own: the usual one of phones.
  private static let usualTimeout = SimDuration.seconds(6)

  /// - Returns: nil for a claim that captures cannot show: about screens, people, links, or several devices.
  init?(_ claim: ProtocolForm.Claim) {
    guard claim.with == nil, claim.kind.events.allSatisfy({ $0.verb == .hears || $0.verb == .sends }) else {
      return nil
    }
    switch claim.kind {
    case .agree: return nil
    case .follows(_, let second, _, let toAll, let after):
      if toAll || after != nil || second.verb != .sends { return nil }
    case .never(let event): if event.verb != .sends { return nil }
    case .neverBefore, .neverAfter, .atMost, .rises: break
    }
    self.claim = claim
    ledger = OracleLedger(oracle: claim.id, clause: claim.clause)
  }

  /// Something that a device of the claim's role has sent or heard.
  ///
  /// - Parameters:
  ///   - isWhole: the capture has the link from its beginning and without gaps up to here.
  ///   - isSure: the octets are a packet whatever the capture lacks.
  func take(_ event: FileEvent, _ link: TrafficLink, _ moment: TrafficMoment, isWhole: Bool, isSure: Bool) {
    guard isSure || isWhole else {
      if case .never(let form) = claim.kind, event.isNamed(as: form), !event.fits(form) { ledger.judged += 1 }
      return
    }
    var story = links[link.index] ?? Story()
    judge(event, link, moment, isWhole, &story)
    links[link.index] = story
  }

  private func judge(
    _ event: FileEvent, _ link: TrafficLink, _ moment: TrafficMoment, _ isWhole: Bool, _ story: inout Story
  ) {
    switch claim.kind {
    case .never(let form):
      if event.isNamed(as: form) { event.fits(form) ? fail(event, moment, "no such packet") : passed(true) }
    case .neverBefore(let form, let other):
      if event.fits(form) {
        let came = story.seen.contains { $0.fits(other, event) }
        came || !isWhole ? passed(came) : fail(event, moment, "first that it \(other.text)")
      }
      if event.isNamed(as: other) { story.note(event, Self.limit) }
    case .neverAfter(let form, let other):
      if event.fits(form) {
        let margin = other.verb == .hears ? Self.timeout(link) : .zero
        if let ended = story.ended {
          let isLate = Self.passed(from: ended, to: moment) > margin
          isLate ? fail(event, moment, "nothing like it after it \(other.text)") : passed(false)
        } else {
          passed(isWhole)
        }
      }
      if event.fits(other) { story.ended = story.ended ?? moment }
    case .atMost(let count, let form, let span, let each):
      tally(event, form, count, span, each, moment, isWhole, &story)
    case .rises(let form, let field):
      guard event.fits(form), let value = event[field] else { return }
      if let before = story.highest, let fallen = value.fallen(since: before) {
        fail(event, moment, "\(field) of \(fallen) or more")
      } else {
        passed(true)
      }
      story.highest = value
    case .follows(let first, let second, let span, _, _):
      follow(event, first, second, span, link, moment, &story)
    case .agree: break
    }
  }

  private func tally(
    _ event: FileEvent, _ form: EventForm, _ count: Int, _ span: SimDuration?, _ each: String?, _ moment: TrafficMoment,
    _ isWhole: Bool, _ story: inout Story
  ) {
    guard event.fits(form) else { return }
    let value = each.flatMap { event[$0] }
    if story.counts[value] == nil, story.counts.count >= Self.limit { return ledger.open += 1 }
    var came = story.counts[value] ?? []
    came.append(moment)
    // What the radio has held back comes at once: only what is certainly within the span counts.
    if let span { came.removeAll { Self.passed(from: $0, to: moment) > span } }
    let number = came.count
    if came.count > count { came.removeFirst() }
    story.counts[value] = came
    guard number > count else { return passed(isWhole || span != nil) }
    if span != nil { return passed(false) }
    fail(event, moment, "at most \(count)")
  }

  private func follow(
    _ event: FileEvent, _ first: EventForm, _ second: EventForm, _ span: SimDuration, _ link: TrafficLink,
    _ moment: TrafficMoment, _ story: inout Story
  ) {
    let limit = span + Self.timeout(link)
    if let place = story.due.firstIndex(where: { event.fits(second, $0.event) }) {
      let isInTime = Self.passed(from: story.due[place].moment, to: moment) <= limit
      passed(isInTime)
      story.due.remove(at: place)
    } else if event.verb == .sends {
      // The app has run, and has sent something else.
      for due in story.due where Self.passed(from: due.moment, to: moment) > limit {
        fail(event, moment, "it \(second.text) within \(span.shortSeconds) s after it \(due.event.text)")
      }
      story.due.removeAll { Self.passed(from: $0.moment, to: moment) > limit }
    }
    if event.fits(first) { story.due.append((event, moment)) }
    if story.due.count > Self.limit {
      story.due.removeFirst()
      ledger.open += 1
    }
  }

  /// Something of a link is missing: nobody knows what has come.
  func gap(in link: TrafficLink) {
    guard let story = links.removeValue(forKey: link.index) else { return }
    ledger.open += story.due.count
  }

  /// What was not due when the link ended is nobody's fault.
  func close(_ link: TrafficLink) { links[link.index] = nil }

  func finish() {
    ledger.open += links.values.reduce(0) { $0 + $1.due.count }
    links = [:]
  }

  private func passed(_ isJudged: Bool) { if isJudged { ledger.judged += 1 } else { ledger.open += 1 } }

  private func fail(_ event: FileEvent, _ moment: TrafficMoment, _ expected: String) {
    ledger.fail(
      at: moment.instant, device: event.device, record: moment.place.number, expected: expected, actual: event.text)
  }

  /// What the capture proves to have passed: its clock may have jumped.
  private static func passed(from: TrafficMoment, to: TrafficMoment) -> SimDuration {
    min(to.witnessed - from.witnessed, to.instant - from.instant)
  }

  private static func timeout(_ link: TrafficLink) -> SimDuration {
    link.supervisionTimeout.map { .milliseconds(10 * Int64($0)) } ?? usualTimeout
  }
}

extension CapturedClaim.Story {
  fileprivate mutating func note(_ event: FileEvent, _ limit: Int) {
    seen.append(event)
    if seen.count > limit { seen.removeFirst() }
  }
}
