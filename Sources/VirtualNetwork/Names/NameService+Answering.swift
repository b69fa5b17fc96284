import NetworkWire
import SimKernel

/// Answering questions of others (RFC 6762, 6 and 7).
extension NameService {
  func hearQuestions(_ message: DNSMessage, at now: SimInstant) {
    for index in services.indices where services[index].isRegistered {
      let service = services[index]
      let instance = DNSName.instance(service.name, service.type)
      for question in message.questions {
        if question.name == instance, Self.asksForInstance(question.kind) {
          // A probe is answered sooner: who claims the name waits for it.
          let isProbe = !message.authorities.isEmpty
          answerAtOnce(index, notWithin: isProbe ? settings.defenceTime : settings.repeatTime, at: now)
        } else if question.name == .serviceType(service.type), question.kind == .pointer || question.kind == .any,
          !isKnown(pointer(service), by: message)
        {
          services[index].answerDue = services[index].answerDue ?? now + draw(settings.sharedAnswerWait)
        }
      }
    }
    let asksForHost = message.questions.contains {
      $0.name == hostName && ($0.kind == .a || $0.kind == .aaaa || $0.kind == .any)
    }
    if asksForHost { outgoing.append(DNSMessage(isResponse: true, answers: hostRecords)) }
  }

  private static func asksForInstance(_ kind: DNSRecord.Kind) -> Bool {
    kind == .service || kind == .text || kind == .any
  }

  /// The asker has it, with at least half of its life left (RFC 6762, 7.1).
  private func isKnown(_ record: DNSRecord, by message: DNSMessage) -> Bool {
    message.answers.contains {
      $0.name == record.name && $0.content == record.content && $0.timeToLive >= record.timeToLive / 2
    }
  }

  private func answerAtOnce(_ index: Int, notWithin time: SimDuration, at now: SimInstant) {
    if let sent = services[index].sent, now < sent + time { return }
    outgoing.append(response(services[index]))
    services[index].sent = now
    services[index].answerDue = nil
  }

  /// Gives the answers whose wait is over.
  func answer(at now: SimInstant) {
    for index in services.indices {
      guard let due = services[index].answerDue, due <= now else { continue }
      services[index].answerDue = nil
      if services[index].isRegistered { answerAtOnce(index, notWithin: settings.repeatTime, at: now) }
    }
  }
}
