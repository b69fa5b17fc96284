import Judging
import SimKernel

/// One plot with axes, drawn as SVG: 720 by 376, light and dark, no script, no font of its own.
package struct StatsPlot {
  package struct Axis {
    var title: String
    var range: ClosedRange<Int64>
    var ticks: [(value: Int64, label: String)]
    var isLogarithmic: Bool

    package init(
      title: String, range: ClosedRange<Int64>, ticks: [(value: Int64, label: String)], isLogarithmic: Bool = false
    ) {
      self.title = title
      self.range = range
      self.ticks = ticks
      self.isLogarithmic = isLogarithmic
    }
  }

  package struct Series {
    package enum Form { case line, steps, bars, dots }
    var name: String
    var form: Form
    var points: [(x: Int64, y: Int64)]
    /// Bars: where each ends; as many as there are points.
    var ends: [Int64]
    /// Circles over it in its colour.
    var marks: [(x: Int64, y: Int64)]

    package init(
      name: String, form: Form, points: [(x: Int64, y: Int64)], ends: [Int64] = [], marks: [(x: Int64, y: Int64)] = []
    ) {
      self.name = name
      self.form = form
      self.points = points
      self.ends = ends
      self.marks = marks
    }
  }

  /// File name without its ending.
  var id: String
  var title: String
  /// What it was made from.
  var note: String
  var x: Axis
  var y: Axis
  var series: [Series]

  private static let left = 90
  private static let right = 700
  private static let top = 62
  private static let bottom = 306

  /// The style sheet that a page with plots needs; a single file brings it along.
  package static let style = """
    .plot{font:12px system-ui,sans-serif;max-width:100%;height:auto;color:var(--plot-ink)}
    .plot text{fill:currentColor}.plot .title{font-size:15px;font-weight:600}.plot .soft{fill:var(--plot-soft)}
    .plot .frame{stroke:var(--plot-soft);fill:none}.plot .grid{stroke:var(--plot-grid)}
    .plot .paper{fill:var(--plot-paper)}.plot .s0{--c:var(--plot-a)}.plot .s1{--c:var(--plot-b)}
    .plot .s2{--c:var(--plot-c)}.plot .s3{--c:var(--plot-d)}.plot .s4{--c:var(--plot-e)}.plot .s5{--c:var(--plot-f)}
    .plot .s6{--c:var(--plot-g)}.plot .s7{--c:var(--plot-h)}
    .plot .line{fill:none;stroke:var(--c);stroke-width:1.8;stroke-linejoin:round}.plot .fill{fill:var(--c)}
    .plot .bar{fill:var(--c);fill-opacity:.75}
    :root{--plot-ink:#1b1f24;--plot-soft:#59636e;--plot-grid:#e3e7eb;--plot-paper:#fff;--plot-a:#0757ba;
    --plot-b:#b3470a;--plot-c:#137333;--plot-d:#6b2fb3;--plot-e:#b3141d;--plot-f:#0b5a75;--plot-g:#7d5600;
    --plot-h:#59636e}
    @media(prefers-color-scheme:dark){:root{--plot-ink:#e4e9ee;--plot-soft:#9aa5b1;--plot-grid:#262d35;
    --plot-paper:#0f1318;--plot-a:#7fb5ff;--plot-b:#ffb27d;--plot-c:#6fd88a;--plot-d:#cfa8ff;--plot-e:#ff8f88;
    --plot-f:#7fd0ec;--plot-g:#f0c859;--plot-h:#97a1ab}}

    """

  package init(id: String, title: String, note: String, x: Axis, y: Axis, series: [Series]) {
    self.id = id
    self.title = title
    self.note = note
    self.x = x
    self.y = y
    self.series = series
  }

  /// A file of its own.
  package var file: [UInt8] { Array(svg(isAlone: true).utf8) }

  package func svg(isAlone: Bool = false) -> String {
    var text = "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 720 376\" width=\"720\" height=\"376\""
    if isAlone { text += " xmlns=\"http://www.w3.org/2000/svg\"" }
    text += " aria-label=\"\(PageText.escaped(title))\">\n"
    if isAlone { text += "<style>\(Self.style)</style>\n" }
    text += "<rect class=\"paper\" width=\"720\" height=\"376\"/>\n"
    text += label(Self.left, 22, title, "title") + label(Self.left, 40, note, "soft")
    text += axes + legend
    for (index, series) in series.enumerated() {
      text += "<g class=\"s\(index % 8)\">\(drawn(series))\(circles(series.marks, radius: "4"))</g>\n"
    }
    return text + "</svg>\n"
  }

  // MARK: Places

  /// Tenths of a pixel as text.
  private static func pixels(_ tenths: Int) -> String {
    tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
  }

  private static func place(_ value: Int64, _ axis: Axis, from: Int, to: Int) -> Int {
    let clamped = min(max(value, axis.range.lowerBound), axis.range.upperBound)
    let ends = [axis.range.lowerBound, axis.range.upperBound, clamped]
    let scaled = ends.map { axis.isLogarithmic ? logarithm($0) : $0 }.map { Int128($0) }
    let (span, here) = (scaled[1] - scaled[0], scaled[2] - scaled[0])
    if span <= 0 { return from * 10 }
    let tenths = Int128(to - from) * 10 * here
    return from * 10 + Int((2 * tenths + (tenths < 0 ? -span : span)) / (2 * span))
  }

  /// Logarithm to base two in steps of 2⁻²⁰, straight between powers of two: the histogram's own scale.
  private static func logarithm(_ value: Int64) -> Int64 {
    guard value > 0 else { return 0 }
    let exponent = 63 - value.leadingZeroBitCount
    let rest = value - (1 << Int64(exponent))
    return (Int64(exponent) << 20) + (exponent > 20 ? rest >> Int64(exponent - 20) : rest << Int64(20 - exponent))
  }

  private func across(_ value: Int64) -> Int { Self.place(value, x, from: Self.left, to: Self.right) }
  private func up(_ value: Int64) -> Int { Self.place(value, y, from: Self.bottom, to: Self.top) }

  // MARK: Parts

  private func label(_ x: Int, _ y: Int, _ text: String, _ style: String, _ anchor: String = "start") -> String {
    "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(PageText.escaped(text))</text>\n"
  }

  private var axes: String {
    var text = ""
    for tick in x.ticks where x.range.contains(tick.value) {
      let place = Self.pixels(across(tick.value))
      text += "<line class=\"grid\" x1=\"\(place)\" y1=\"\(Self.top)\" x2=\"\(place)\" y2=\"\(Self.bottom)\"/>"
      text += "<text class=\"soft\" x=\"\(place)\" y=\"\(Self.bottom + 17)\" text-anchor=\"middle\">"
      text += PageText.escaped(tick.label) + "</text>\n"
    }
    for tick in y.ticks where y.range.contains(tick.value) {
      let place = up(tick.value)
      let line = Self.pixels(place)
      text += "<line class=\"grid\" x1=\"\(Self.left)\" y1=\"\(line)\" x2=\"\(Self.right)\" y2=\"\(line)\"/>"
      text += "<text class=\"soft\" x=\"\(Self.left - 7)\" y=\"\(Self.pixels(place + 40))\" text-anchor=\"end\">"
      text += PageText.escaped(tick.label) + "</text>\n"
    }
    text += "<path class=\"frame\" d=\"M\(Self.left) \(Self.top)V\(Self.bottom)H\(Self.right)\"/>\n"
    text += label((Self.left + Self.right) / 2, Self.bottom + 36, x.title, "axis", "middle")
    let middle = (Self.top + Self.bottom) / 2
    text += "<text x=\"15\" y=\"\(middle)\" text-anchor=\"middle\" transform=\"rotate(-90 15 \(middle))\">"
    return text + PageText.escaped(y.title) + "</text>\n"
  }

  /// Below the plot, in one row: names are short, and there are at most eight.
  private var legend: String {
    guard series.count > 1 else { return "" }
    let width = (Self.right - Self.left) / series.count
    return series.indices.map { index in
      let x = Self.left + index * width
      return
        "<g class=\"s\(index % 8)\"><rect class=\"fill\" x=\"\(x)\" y=\"356\" width=\"10\" height=\"10\" rx=\"2\"/>"
        + "</g>" + label(x + 15, 365, series[index].name, "name")
    }.joined()
  }

  private func drawn(_ series: Series) -> String {
    switch series.form {
    case .line, .steps:
      var path = ""
      for (index, point) in series.points.enumerated() {
        let (x, y) = (Self.pixels(across(point.x)), Self.pixels(up(point.y)))
        if index == 0 {
          path += "M\(x) \(y)"
        } else {
          path += series.form == .steps ? "H\(x)V\(y)" : "L\(x) \(y)"
        }
      }
      return "<path class=\"line\" d=\"\(path)\"/>"
    case .bars:
      return series.points.indices.map { index in
        let point = series.points[index]
        let (start, end) = (across(point.x), across(series.ends[index]))
        let height = Self.bottom * 10 - up(point.y)
        return "<rect class=\"bar\" x=\"\(Self.pixels(start))\" y=\"\(Self.pixels(up(point.y)))\""
          + " width=\"\(Self.pixels(max(8, end - start - 4)))\" height=\"\(Self.pixels(height))\"/>"
      }.joined()
    case .dots: return circles(series.points, radius: "1.6")
    }
  }

  private func circles(_ points: [(x: Int64, y: Int64)], radius: String) -> String {
    points.map { point in
      "<circle class=\"fill\" cx=\"\(Self.pixels(across(point.x)))\" cy=\"\(Self.pixels(up(point.y)))\" "
        + "r=\"\(radius)\"/>"
    }.joined()
  }
}

extension StatsPlot.Axis {
  /// From zero to somewhat more than `most`, with ticks at 1, 2 or 5 times a power of ten.
  package static func linear(_ title: String, upTo most: Int64, unit: Int64 = 1, label: (Int64) -> String)
    -> StatsPlot.Axis
  {
    let end = max(most, unit)
    var step = unit
    let factors: [Int64] = [2, 5, 10]
    var base = unit
    var index = 0
    while end / step > 5 {
      step = base * factors[index]
      index += 1
      if index == factors.count {
        index = 0
        base *= 10
      }
    }
    let last = (end + step - 1) / step * step
    let ticks = stride(from: Int64(0), through: last, by: Int(step)).map { (value: $0, label: label($0)) }
    return StatsPlot.Axis(title: title, range: 0...last, ticks: ticks)
  }

  /// Shares in thousandths, from none to all.
  package static func shares(_ title: String) -> StatsPlot.Axis {
    StatsPlot.Axis(
      title: title, range: 0...1_000,
      ticks: stride(from: Int64(0), through: 1_000, by: 250).map { (value: $0, label: "\($0 / 10)%") })
  }

  /// Nanoseconds on a logarithmic scale, with ticks at 1, 2 and 5 times powers of ten, or at these powers alone.
  package static func time(_ title: String, _ least: Int64, _ most: Int64) -> StatsPlot.Axis {
    var low: Int64 = 1
    while low * 2 <= max(1, least) { low *= 2 }
    var high = low * 2
    while high < most, high < Int64.max / 4 { high *= 2 }
    var all: [Int64] = []
    var power: Int64 = 1
    while power <= high, power < Int64.max / 10 {
      for factor: Int64 in [1, 2, 5] where (low...high).contains(power * factor) { all.append(power * factor) }
      power *= 10
    }
    if all.count > 9 { all = all.filter { value in String(value).first == "1" } }
    let ticks = all.map { (value: $0, label: StatsText.duration($0)) }
    return StatsPlot.Axis(title: title, range: low...high, ticks: ticks, isLogarithmic: true)
  }
}
