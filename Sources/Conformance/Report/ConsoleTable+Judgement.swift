import AppSeam
import Bench
public import Judging
import Platform
import SimKernel

/// The tables that end a run on a terminal: peers, verdicts, and remarks of host stacks.
extension ConsoleTable {
  /// One line per device; of one from outside what is unknown is a dash.
  public static func peers(_ judgement: Judgement) -> String {
    var titles: [String] = []
    for column in judgement.outcome.devices.flatMap(\.columns) where !titles.contains(column.title) {
      titles.append(column.title)
    }
    var rows = [["peer", "role", "phone", "links", "ATT_MTU", "sent", "received"] + titles]
    for (index, device) in judgement.outcome.devices.enumerated() {
      if judgement.header.isForeign(index) {
        let known = [device.name, device.role.rawValue, "external", String(device.links), "–", "–", "–"]
        rows.append(known + titles.map { _ in "–" })
        continue
      }
      let counts = [device.links, device.attMTU, device.valuesSent, device.valuesReceived].map { String($0) }
      let shown = titles.map { title in device.columns.first { $0.title == title }?.value ?? "" }
      rows.append([device.name, device.role.rawValue, device.phone] + counts + shown)
    }
    return table(rows, rightAligned: [3, 4, 5, 6])
  }

  /// One line per oracle and expectation; oracles that had nothing to judge are named in one line.
  public static func verdicts(_ judgement: Judgement, isColoured: Bool = false) -> String {
    var rows = [["verdict", "judged", "open", "claim"]]
    for oracle in judgement.oracles where oracle.verdict != .none {
      rows.append([oracle.verdict.name, String(oracle.judged), String(oracle.open), oracle.id])
    }
    for expectation in judgement.expectations {
      let figures = figures(expectation)
      let seen = figures.isEmpty ? "" : " (\(oneLine(figures)))"
      rows.append([expectation.verdict.name, "", "", "expect: \(oneLine(expectation.text))\(seen)"])
    }
    var text = table(rows, rightAligned: [1, 2]) { column, cell in
      column == 0 && isColoured ? coloured(cell) : nil
    }
    let idle = judgement.oracles.filter { $0.verdict == .none }.map(\.id)
    if !idle.isEmpty { text += "nothing to judge: \(idle.joined(separator: ", "))\n" }
    for oracle in judgement.oracles {
      if let reason = oracle.openReason { text += "not judged by \(oracle.id): \(oneLine(reason))\n" }
    }
    for expectation in judgement.expectations where expectation.answer == nil {
      text += "not judged: \(oneLine(expectation.text)): \(oneLine(expectation.detail))\n"
    }
    return text
  }

  /// What made an expectation hold that is about figures; when it came true is not among it.
  private static func figures(_ expectation: ExpectationResult) -> String {
    guard expectation.holds else { return "" }
    let parts = expectation.detail.split(separator: "; ").filter { !$0.hasPrefix("after ") }
    return parts.joined(separator: "; ")
  }

  /// One line for the first remark of each kind that a device's host stack made, and how many there were.
  public static func remarks(_ judgement: Judgement) -> String {
    judgement.remarks.map { remark in
      let more = remark.count > 1 ? ", and \(remark.count - 1) more" : ""
      return "\(remark.remark.kind.rawValue) at \(remark.instant) s, \(judgement.header.name(of: remark.device))"
        + " (record \(remark.record)): \(oneLine(remark.remark.text))\(more)\n"
    }.joined()
  }
}
