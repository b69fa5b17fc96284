/// What grew while a campaign went on, over its executions: no clock, so two runs of one campaign have the same curve.
package struct CampaignCurve: Codable, Hashable, Sendable {
  package struct Point: Codable, Hashable, Sendable {
    /// Executions so far.
    package var at: Int
    /// In the order of `names`.
    package var values: [Int]
  }

  /// Points that are kept; beyond that those of a longer stride become one.
  private static let limit = 512

  package private(set) var names: [String]
  /// In order; the last of each stride.
  package private(set) var points: [Point] = []
  private var stride = 1

  package init(_ names: [String]) { self.names = names }

  package mutating func note(_ values: [Int], at executions: Int) {
    if points.last?.values == values { return }
    add(Point(at: executions, values: values))
    while points.count > Self.limit {
      stride *= 2
      let all = points
      points = []
      for point in all { add(point) }
    }
  }

  private mutating func add(_ point: Point) {
    if let last = points.last, last.at / stride == point.at / stride {
      points[points.count - 1] = point
    } else {
      points.append(point)
    }
  }

  /// Several campaigns side by side: at each number of executions what all have by then.
  package static func sum(_ curves: [CampaignCurve]) -> CampaignCurve {
    guard let first = curves.first else { return CampaignCurve([]) }
    if curves.count == 1 { return first }
    var sum = CampaignCurve(first.names)
    let changes = curves.enumerated().flatMap { index, curve in curve.points.map { (point: $0, curve: index) } }
      .sorted { ($0.point.at, $0.curve) < ($1.point.at, $1.curve) }
    var latest = curves.map { $0.names.map { _ in 0 } }
    for (index, change) in changes.enumerated() {
      latest[change.curve] = change.point.values
      if index + 1 < changes.count, changes[index + 1].point.at == change.point.at { continue }
      sum.note(first.names.indices.map { name in latest.reduce(0) { $0 + $1[name] } }, at: change.point.at)
    }
    return sum
  }
}
