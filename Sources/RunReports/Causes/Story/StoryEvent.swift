package import SimKernel

/// One thing that led to a trouble.
package struct StoryEvent: Sendable {
  package var instant: SimInstant
  /// A sentence without a full stop.
  package var text: String
  /// A record of `trace.jsonl`.
  package var record: Int?
  /// Numbers of PDUs, as in `air.pcapng`.
  package var pdus: ClosedRange<Int>?
  /// Numbers of packets, as in `network.pcapng`.
  package var packets: ClosedRange<Int>?
  /// A line of the scenario file.
  package var line: Int?

  package init(
    _ instant: SimInstant, _ text: String, record: Int? = nil, pdus: ClosedRange<Int>? = nil,
    packets: ClosedRange<Int>? = nil, line: Int? = nil
  ) {
    self.instant = instant
    self.text = text
    self.record = record
    self.pdus = pdus
    self.packets = packets
    self.line = line
  }
}
