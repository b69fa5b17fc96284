package import AppSeam
package import BabSim
package import Bench
package import Platform

/// What a trace record of a device that plays Bab says, with its reports in Bab's words.
package enum BabEvent {
  /// Anything but an action of its person.
  case input(AppInput)
  /// Its person does something.
  case action(BabAction)
  case effect(AppEffect)
  case report(BabReport)
  case fault(FaultEvent)
  /// Something that no oracle of an app reads.
  case other
}

extension TraceRecord {
  package var bab: BabEvent {
    switch event {
    case .input(let input): input.bab.map { .action($0) } ?? .input(input)
    case .effect(let effect): .effect(effect)
    case .report(let report): report.bab.map { .report($0) } ?? .other
    case .fault(let fault): .fault(fault)
    case .radio, .network, .platform, .step, .expectation: .other
    }
  }
}

extension TraceEvent {
  package static func report(_ report: BabReport) -> TraceEvent { .report(AppReport(report)) }

  /// Nil for everything but a report of Bab.
  package var bab: BabReport? {
    if case .report(let report) = self { return report.bab }
    return nil
  }
}
