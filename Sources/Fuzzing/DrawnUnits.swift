import SimKernel

extension [FuzzedDecoder] {
  /// Valid inputs of some rows, drawn by a seed: what attacks may be made of besides units that pass.
  /// - Parameter grammars: names of rows, each with what comes before an input; unknown ones are left out.
  package func units(of grammars: [(name: String, prefix: [UInt8])], seed: UInt64) -> [[UInt8]] {
    grammars.flatMap { name, prefix in
      guard let row = first(where: { $0.name == name }) else { return [[UInt8]]() }
      var stream = RandomStream(seed: seed, component: "fuzz", purpose: name)
      return row.units(&stream).map { prefix + $0 }
    }
  }
}

extension FuzzedDecoder {
  /// Inputs that are kept whatever their kind is.
  private static let usualUnits = 64
  /// Inputs of one kind that are looked for after that.
  private static let unitsOfKind = 6
  /// Inputs that are drawn at most: a kind that is rarer than one in some hundred may be missing.
  private static let draws = 2_048

  /// Valid inputs, among them some of each kind that the decoder tells from others.
  func units(_ stream: inout RandomStream) -> [[UInt8]] {
    var counts: [UInt64: Int] = [:]
    var units: [[UInt8]] = []
    for _ in 0..<Self.draws {
      let unit = valid(&stream)
      guard case .accepted(let kind, _) = decode(unit) else { continue }
      if units.count >= Self.usualUnits, counts[kind, default: 0] >= Self.unitsOfKind { continue }
      counts[kind, default: 0] += 1
      units.append(unit)
    }
    return units
  }
}
