import AppSeam
import Bench
import Platform
import VirtualRadio

/// Notes which kinds of records a run has, and which HCI commands and events, each once.
final class TraceCoverage: TraceReader {
  private(set) var names: [String] = []
  private var known: Set<String> = []

  var wantsHCI: Bool { true }

  func read(_ record: TraceRecord) {
    switch record.event {
    case .input(let input): add("input", input.plain)
    case .effect(let effect): add("effect", effect)
    case .report(let report): add("report", report.statement)
    case .fault(let fault): add("fault", fault)
    case .platform(let remark): note("platform " + remark.kind.rawValue)
    case .network(let event): add("network", event)
    case .step: note("step")
    case .expectation(_, let holds, _, _):
      note("expectation " + (holds.map { $0 ? "holds" : "fails" } ?? "unknown"))
    case .radio(let event):
      switch event {
      case .hciCommand(let command): add("hci command", command)
      case .hciEvent(let event): add("hci event", event)
      case .air, .aclToController, .aclToHost, .isoToController, .isoToHost: break
      }
    }
  }

  /// By the name of the case of an enumeration, and that of the case in it where that is one too.
  private func add(_ kind: String, _ value: Any) {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum else { return note("\(kind) \(type(of: value))") }
    guard let child = mirror.children.first, let label = child.label else { return note("\(kind) \(value)") }
    let inner = Mirror(reflecting: child.value)
    guard inner.displayStyle == .enum else { return note("\(kind) \(label)") }
    note("\(kind) \(label).\(inner.children.first?.label ?? "\(child.value)")")
  }

  private func note(_ name: String) { if known.insert(name).inserted { names.append(name) } }
}
