import SimKernel

extension [FuzzedDecoder] {
  /// Valid inputs of some rows, drawn by a seed: what attacks may be made of besides units that pass.
  /// - Parameter grammars: names of rows, each with what comes before an input; unknown ones are left out.
  package func units(of grammars: [(name: String, prefix: [UInt8])], seed: UInt64) -> [[UInt8]] {
    grammars.flatMap { name, prefix in
      guard let row = first(where: { $0.name == name }) else { return [[UInt8]]() }
      var stream = RandomStream(seed: seed, component: "fuzz", purpose: name)
      return (0..<64).map { _ in prefix + row.valid(&stream) }
    }
  }
}
