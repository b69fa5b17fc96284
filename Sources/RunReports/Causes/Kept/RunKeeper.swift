package import Bench
import SimKernel
import VirtualRadio

/// Keeps a run, so that it can be asked afterwards what led to what.
package final class RunKeeper: TraceReader {
  private var memory = RunMemory(limits: RunMemory.Limits())

  package init() {}

  /// What was kept.
  package var run: KeptRun { KeptRun(memory) }

  package var wantsAir: Bool { true }
  package var wantsNetwork: Bool { true }
  package func begin(_ header: TraceHeader) { memory.begin(header) }
  package func read(_ record: TraceRecord) { memory.read(record) }
  package func end(_ outcome: RunOutcome) { memory.end = outcome.endInstant }
}
