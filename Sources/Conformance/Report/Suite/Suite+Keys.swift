import AppSeam

extension Suite {
  /// What makes a case the same case in another run.
  package func key(of item: Item) -> CaseKey {
    CaseKey(
      implementation: implementations[item.implementation].name, purpose: item.purpose.id,
      dialect: item.id.dialect.rawValue, seed: item.id.seed)
  }
}
