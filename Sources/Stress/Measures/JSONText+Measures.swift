package import Judging

/// The member `measures` of a result; Docs/Formats/result.md.
extension JSONText {
  /// - Parameter names: of the run's devices.
  package mutating func measures(_ run: RunMeasures, names: [String]) {
    key("measures")
    beginArray()
    for (place, measure) in run.measures.enumerated() {
      guard let figures = run.figures(place) else { continue }
      beginObject()
      member("name", measure.name)
      member("unit", measure.unit.rawValue)
      self.figures(figures)
      objects("of", run.parts(place).filter { $0.device >= 0 }) { json, part in
        json.member("device", Self.name(part.device, names))
        json.key("peer")
        if part.peer >= 0 { json.value(Self.name(part.peer, names)) } else { json.null() }
        json.figures(part.figures)
      }
      endObject()
    }
    endArray()
  }

  private static func name(_ device: Int, _ names: [String]) -> String {
    names.indices.contains(device) ? names[device] : "world"
  }

  private mutating func figures(_ figures: RunMeasures.Figures) {
    member("count", figures.count)
    member("mean", figures.mean)
    member("least", figures.least)
    member("median", figures.median)
    member("p90", figures.p90)
    member("p99", figures.p99)
    member("greatest", figures.greatest)
  }
}
