import CaptureCheck
import RadioLaws

extension LawFigure {
  /// The figure as it is drawn: lines for what is expected, circles for what was measured.
  var plot: StatsPlot {
    StatsPlot(
      id: name, title: title, note: "lines: expected by the closed form; circles: measured", x: x.axis, y: y.axis,
      series: curves.map { curve in
        func places(_ points: [(x: Double, y: Double)]) -> [(x: Int64, y: Int64)] {
          points.map { (x.place($0.x), y.place($0.y)) }
        }
        return StatsPlot.Series(
          name: curve.name, form: .line, points: places(curve.expected), marks: places(curve.measured))
      })
  }
}

extension LawFigure.Axis {
  /// A value on the scale of a plot, which is made of integers.
  fileprivate func place(_ value: Double) -> Int64 {
    Int64(((isLogarithmic ? RealNumbers.decimalLogarithm(value) : value) * 1_000_000).rounded())
  }

  fileprivate var axis: StatsPlot.Axis {
    let ticks = ticks.map { (value: place($0.value), label: $0.label) }
    return StatsPlot.Axis(
      title: title, range: (ticks.first?.value ?? 0)...(ticks.last?.value ?? 1), ticks: ticks)
  }
}
