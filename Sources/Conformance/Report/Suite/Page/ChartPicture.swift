import AppSeam
import Judging
import SimKernel

/// A chart as SVG: time downward, a lane per peer, every step of the procedure at its place.
///
/// Colours come from the page's style, so that the picture is right on dark and on light paper.
struct ChartPicture {
  /// Rows drawn at most; the beginning and what led to the verdict are kept.
  static let rowLimit = 80
  private static let rowsBehindVerdict = 8
  private static let gutter = 78
  private static let head = 40

  private enum Row {
    case entry(Chart.Entry, isEvidence: Bool)
    case skipped(Int)
    case verdict(String)
  }

  private let chart: Chart
  private let spacing: Int
  private var svg = ""
  private var y = head
  private var lastInstant: SimInstant?

  private init(_ chart: Chart) {
    self.chart = chart
    spacing = chart.lanes.count <= 2 ? 250 : chart.lanes.count <= 4 ? 170 : chart.lanes.count <= 6 ? 130 : 110
  }

  private var width: Int { Self.gutter + spacing * max(1, chart.lanes.count) }

  private func x(_ lane: Int) -> Int {
    lane < 0 ? width - 12 : Self.gutter + spacing / 2 + spacing * lane
  }

  /// - Parameter verdict: what the mark says; nil for a case without one.
  static func svg(_ chart: Chart, verdict: String?) -> String {
    if chart.lanes.isEmpty { return "" }
    var picture = ChartPicture(chart)
    for row in picture.rows(verdict) { picture.draw(row) }
    picture.y += 10
    let height = picture.y
    var text = #"<svg class="chart" role="img" aria-label="sequence chart" width="\#(picture.width)" "#
    text += #"height="\#(height)" viewBox="0 0 \#(picture.width) \#(height)">"#
    for (index, lane) in chart.lanes.enumerated() {
      let x = picture.x(index)
      text += #"<path class="life" d="M\#(x) 30V\#(height - 4)"/>"#
      let kind = lane.isUnderTest ? "lane iut" : "lane"
      let half = min(picture.spacing - 8, 130) / 2
      text += #"<rect class="\#(kind)" x="\#(x - half)" y="4" width="\#(2 * half)" height="26" rx="5"/>"#
      let name = lane.isUnderTest ? "\(lane.name) (\(lane.role.rawValue))" : lane.name
      text += picture.text(name, x: x, y: 21, style: "name", width: 2 * half, anchor: "middle")
    }
    return text + picture.svg + "</svg>"
  }

  /// The beginning of a long chart, what led to the verdict, and a little of what came then.
  private func rows(_ verdict: String?) -> [Row] {
    var before = Array(chart.entries.indices)
    var behind: [Int] = []
    if let last = chart.verdictAfter {
      behind = Array(before[(last + 1)...])
      before = Array(before[...last])
    } else if verdict != nil {
      swap(&before, &behind)
    }
    func row(_ index: Int) -> Row { .entry(chart.entries[index], isEvidence: index == chart.evidence) }
    let room = Self.rowLimit - min(behind.count, Self.rowsBehindVerdict)
    var rows = before.map(row)
    if before.count > room {
      let first = room / 5
      let last = room - first
      rows = before.prefix(first).map(row) + [.skipped(before.count - room)] + before.suffix(last).map(row)
    }
    if let verdict { rows.append(.verdict(verdict)) }
    rows += behind.prefix(Self.rowsBehindVerdict).map(row)
    if behind.count > Self.rowsBehindVerdict { rows.append(.skipped(behind.count - Self.rowsBehindVerdict)) }
    return rows
  }

  private mutating func draw(_ row: Row) {
    switch row {
    case .skipped(let count):
      y += 22
      svg += #"<path class="gap" d="M\#(Self.gutter) \#(y - 5)H\#(width)"/>"#
      svg += text(
        "… \(count) more, see the trace …", x: Self.gutter, y: y, style: "gap")
    case .verdict(let words):
      y += 26
      svg += #"<path class="verdict" d="M0 \#(y - 17)H\#(width)"/>"#
      svg += text(words, x: 6, y: y - 2, style: "verdict", width: (width - 12) * 5 / 6)
      y += 6
    case .entry(let entry, let isEvidence):
      draw(entry, isEvidence: isEvidence)
    }
  }

  private mutating func draw(_ entry: Chart.Entry, isEvidence: Bool) {
    switch entry.kind {
    case .packet(let packet):
      y += 30
      time(packet.receivedAt ?? packet.sentAt)
      draw(packet, isEvidence: isEvidence)
    case .connected(let a, let b):
      y += 22
      time(entry.instant)
      link(a, b, "connected", style: "link")
    case .disconnected(let a, let b, let reason):
      y += 22
      time(entry.instant)
      link(a, b, "disconnected: \(reason)", style: "link end")
    case .action(let lane, let words):
      y += 20
      time(entry.instant)
      let x = x(lane)
      svg += #"<circle class="dot" cx="\#(x)" cy="\#(y - 4)" r="3"/>"#
      // To the right of its lane, unless there is no room.
      let isLast = lane == chart.lanes.count - 1 && chart.lanes.count > 1
      svg += text(
        words, x: isLast ? x - 7 : x + 7, y: y, style: "act", width: isLast ? spacing : spacing + spacing / 2 - 14,
        anchor: isLast ? "end" : "start")
    case .step(let words):
      y += 21
      time(entry.instant)
      svg += text("▸ \(words)", x: Self.gutter, y: y, style: "step", width: width - Self.gutter)
    case .check(let words, let holds):
      y += 21
      time(entry.instant)
      let style = holds ? "step good" : "step bad"
      svg += text((holds ? "✓ " : "✗ ") + words, x: Self.gutter, y: y, style: style, width: width - Self.gutter)
    }
  }

  /// In the gutter, when it is not the one above.
  private mutating func time(_ instant: SimInstant) {
    if instant == lastInstant { return }
    lastInstant = instant
    svg += text(instant.milliseconds, x: Self.gutter - 10, y: y, style: "time", anchor: "end")
  }

  private mutating func link(_ a: Int, _ b: Int, _ words: String, style: String) {
    let left = min(x(a), x(b))
    let right = max(x(a), x(b))
    svg += #"<path class="\#(style)" d="M\#(left) \#(y - 4)H\#(right)"/>"#
    svg += text(words, x: (left + right) / 2, y: y, style: "act halo", width: right - left - 8, anchor: "middle")
  }

  private mutating func draw(_ packet: Chart.Packet, isEvidence: Bool) {
    let from = x(packet.from)
    let isLost = packet.receivedAt == nil
    let to = isLost ? (from + x(packet.to)) / 2 : x(packet.to)
    let tip = to > from ? -7 : 7
    let middle = (from + x(packet.to)) / 2
    let style =
      "packet" + (packet.isPacket ? "" : " odd") + (!isEvidence ? "" : chart.evidenceShowedIt ? " here" : " newest")
    let label = packet.fragments > 1 ? "\(packet.label) ×\(packet.fragments)" : packet.label
    svg += #"<g class="\#(style)"><title>\#(PageText.escaped(Self.details(packet)))</title>"#
    svg += #"<path class="line" d="M\#(from) \#(y - 8)L\#(to) \#(y - 4)"/>"#
    if isLost {
      svg += #"<path class="line" d="M\#(to - 4) \#(y - 8)l8 8m0-8l-8 8"/>"#
    } else {
      svg += #"<path class="tip" d="M\#(to) \#(y - 4)l\#(tip)-4v8z"/>"#
    }
    svg += text(
      label, x: middle, y: y - 11, style: "label", width: abs(x(packet.to) - from) - 6, anchor: "middle")
    svg += "</g>"
  }

  private static func details(_ packet: Chart.Packet) -> String {
    let octets = CountedNoun.text(packet.octets.count, "octet")
    var text = "\(packet.label): \(octets) in \(CountedNoun.text(packet.fragments, "value")), sent \(packet.sentAt) s, "
    text += packet.receivedAt.map { "whole \($0) s" } ?? "never received"
    return text + ", records \(packet.records.map(String.init).joined(separator: " "))"
  }

  /// Text of at most some pixels; what does not fit ends in an ellipsis and is whole in the title.
  private func text(
    _ words: String, x: Int, y: Int, style: String, width: Int = .max, anchor: String = "start"
  ) -> String {
    // 6.1 pixels per character of an 11-pixel font, rounded up for wide letters.
    let room = width == .max ? Int.max : max(4, width * 10 / 62)
    let isCut = words.count > room
    let shown = isCut ? words.prefix(room - 1) + "…" : words[...]
    let title = isCut ? "<title>\(PageText.escaped(words))</title>" : ""
    let place = #"x="\#(x)" y="\#(y)" text-anchor="\#(anchor)""#
    return #"<text class="\#(style)" \#(place)>\#(title)\#(PageText.escaped(String(shown)))</text>"#
  }
}
