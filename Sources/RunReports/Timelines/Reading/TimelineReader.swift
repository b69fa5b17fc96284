package import Bench
package import Conformance
package import Judging
import SimKernel
import VirtualRadio

/// Watches a run, and draws it afterwards or while it goes on.
package final class TimelineReader: TraceReader {
  /// What was seen so far: a value that another thread may draw while the run goes on.
  package private(set) var memory: TimelineMemory

  /// - Parameter app: the protocol whose packets and reports are put into words.
  package init(of app: AppProtocol, limits: RunMemory.Limits = RunMemory.Limits()) {
    memory = TimelineMemory(of: app, limits: limits)
  }

  package var wantsAir: Bool { true }
  package var wantsNetwork: Bool { true }

  package func begin(_ header: TraceHeader) { memory.begin(header) }
  package func joins(_ header: TraceHeader, device: Int) { memory.joins(header) }
  package func read(_ record: TraceRecord) { memory.read(record) }
  package func end(_ outcome: RunOutcome) { memory.finish(outcome) }

  /// The picture of what was seen and judged.
  /// - Parameters:
  ///   - scenario: whose file has the steps and expectations; nil where there is no file.
  ///   - troubles: what is wrong; what led to the first of them is told at its mark.
  package func timeline(
    _ findings: [Finding], scenario: Scenario?, troubles: [Trouble] = []
  ) -> RunTimeline {
    memory.timeline(findings, scenario: scenario, troubles: troubles)
  }
}
