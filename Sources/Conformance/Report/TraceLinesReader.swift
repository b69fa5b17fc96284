import AppSeam
public import Bench
import BluetoothWire
public import Judging
import Platform
import SimKernel
import VirtualNetwork
import VirtualRadio

/// Writes a run as JSON Lines, one record per line, while it happens: Docs/Formats/trace.md.
///
/// Radio records are left out: they are in the captures, and a trace must not depend on which captures were asked for.
public final class TraceLinesReader: TraceReader {
  /// Grows when a line's meaning changes; new kinds and new members do not count.
  public static let version = 1
  /// Octets that are collected before they are handed to the sink.
  private static let chunk = 64 << 10

  private var lines: EventLines

  public init(sink: any OctetSink) { lines = EventLines(sink, version: Self.version, capacity: 80 << 10) }

  /// The first failure to write; later lines are dropped, the run goes on.
  public var failure: (any Error)? { lines.failure }

  public func begin(_ header: TraceHeader) {
    lines.add("header") { text in
      text.member("scenario", header.scenario)
      // As text: JSON readers that keep numbers as doubles would round it.
      text.member("seed", String(header.seed))
      text.objects("devices", header.devices) { members(of: $1, &$0) }
      text.options(header.options)
    }
  }

  public func joins(_ header: TraceHeader, device: Int) {
    lines.add("arrival") { text in
      text.member("device", device)
      members(of: header.devices[device], &text)
    }
  }

  private func members(of device: TraceHeader.Device, _ text: inout JSONText) {
    text.member("name", device.name)
    text.member("role", device.role.rawValue)
    text.member("phone", device.phone)
    text.member("dialect", device.dialect)
    text.member("engine", device.engine)
    text.member("address", device.address.description)
    if let key = device.identityKey {
      text.member("identityKey", key.map { String(hexadecimal: $0, digits: 2) }.joined())
    }
    if device.isHostile { text.member("hostile", true) }
  }

  public func read(_ record: TraceRecord) {
    switch record.event {
    case .radio, .network(.packet): return
    case .network(let event): line("network", record) { $0.network(event) }
    case .input(let input): line("input", record) { $0.input(input) }
    case .effect(let effect): line("effect", record) { $0.effect(effect) }
    case .report(let report): line("report", record) { $0.fields(of: report.statement) }
    case .fault(let fault): line("fault", record) { $0.fault(fault) }
    case .platform(let remark):
      line("platform", record) { text in
        text.member("name", remark.kind.rawValue)
        text.member("link", remark.link?.rawValue)
        text.member("text", remark.text)
      }
    case .step(let step): line("step", record) { $0.member("text", step) }
    case .expectation(let expectation, let holds, let detail, let place):
      line("expectation", record) { text in
        text.member("text", expectation)
        text.member("holds", holds)
        text.member("detail", detail)
        text.member("line", place.line)
        text.list("devices", place.devices) { $0.value($1) }
        text.member("blocked", place.isBlocked)
      }
    }
    if lines.waiting >= Self.chunk { lines.flush() }
  }

  public func end(_ outcome: RunOutcome) {
    lines.add("outcome") { text in
      text.member("ending", outcome.ending.rawValue)
      text.member("instant", outcome.endInstant.nanoseconds)
      text.member("digest", outcome.digest.hexadecimal)
    }
    lines.close()
  }

  private func line(_ kind: StaticString, _ record: TraceRecord, payload: (inout JSONText) -> Void) {
    lines.add(kind) { text in
      text.member("sequence", record.sequence)
      text.member("instant", record.instant.nanoseconds)
      text.member("device", record.device)
      payload(&text)
    }
  }
}
