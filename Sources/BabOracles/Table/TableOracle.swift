import Bench
import Conformance
import Judging

/// An oracle of what hosts tell: it is handed each packet once, in the order of the host's decisions.
protocol TableOracle: BabOracle {
  var state: BabRunState { get }
  func judge(_ told: HostStory.Told)
}

extension TableOracle {
  package static var nature: OracleNature { .safety }
  package static var interests: [TraceKind] { [.transmit] }
  package func observe(_ record: TraceRecord) { for told in state.news { judge(told) } }
  package func finish(_ outcome: RunOutcome) { for told in state.rest { judge(told) } }

  func fail(
    _ told: HostStory.Told, _ clause: String? = nil, expected: @autoclosure () -> String,
    actual: @autoclosure () -> String
  ) {
    ledger.fail(
      at: told.instant, device: told.story.host.index, record: told.record, clause: clause, expected: expected(),
      actual: actual())
  }
}
