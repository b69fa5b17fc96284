import NetworkWire
import SimKernel

/// Answering questions of others (RFC 6762, 6 and 7).
extension NameService {
  func hearQuestions(_ message: DNSMessage, at now: SimInstant) {
    for index in services.indices where services[index].isRegistered {
      let service = services[index]
      let instance = DNSName.instance(service.name, service.type)
      let type = DNSName.serviceType(service.type)
      if message.questions.contains(where: { $0.name == instance && Self.asksForInstance($0.kind) }) {
        // A probe is answered sooner: who claims the name waits for it.
        let isProbe = !message.authorities.isEmpty
        plan(index, at: now, notWithin: isProbe ? settings.defenceTime : settings.repeatTime)
      }
      if services[index].answerDue == nil,
        message.questions.contains(where: { $0.name == type && ($0.kind == .pointer || $0.kind == .any) }),
        !isKnown(pointer(service), by: message)
      {
        plan(index, at: now + draw(settings.sharedAnswerWait), notWithin: settings.repeatTime)
      }
    }
    let asksForHost = message.questions.contains {
      $0.name == hostName && ($0.kind == .a || $0.kind == .aaaa || $0.kind == .any)
    }
    if asksForHost, !addresses.isEmpty, hostAnswerDue == nil {
      hostAnswerDue = max(now, hostSent.map { $0 + settings.repeatTime } ?? now)
    }
    answer(at: now)
  }

  private static func asksForInstance(_ kind: DNSRecord.Kind) -> Bool {
    kind == .service || kind == .text || kind == .any
  }

  /// The asker has it, with at least half of its life left (RFC 6762, 7.1).
  private func isKnown(_ record: DNSRecord, by message: DNSMessage) -> Bool {
    message.answers.contains {
      $0.timeToLive >= record.timeToLive / 2 && $0.content == record.content && $0.name == record.name
    }
  }

  /// An answer at an instant, or later if the same was said a short time before.
  private func plan(_ index: Int, at instant: SimInstant, notWithin time: SimDuration) {
    let allowed = max(instant, services[index].sent.map { $0 + time } ?? instant)
    services[index].answerDue = min(services[index].answerDue ?? allowed, allowed)
  }

  /// Somebody else has just said what an answer would say (RFC 6762, 7.4).
  func hearOwnAnswers(_ message: DNSMessage) {
    for index in services.indices where services[index].answerDue != nil {
      let own = pointer(services[index])
      if message.answers.contains(where: {
        $0.timeToLive >= own.timeToLive && $0.content == own.content && $0.name == own.name
      }) {
        services[index].answerDue = nil
      }
    }
  }

  /// Gives the answers whose wait is over.
  func answer(at now: SimInstant) {
    for index in services.indices {
      guard let due = services[index].answerDue, due <= now else { continue }
      services[index].answerDue = nil
      services[index].sent = now
      outgoing.append(response(services[index]))
    }
    if let due = hostAnswerDue, due <= now {
      hostAnswerDue = nil
      hostSent = now
      outgoing.append(DNSMessage(isResponse: true, answers: hostRecords))
    }
  }
}
