public import AppSeam
public import Bench

/// The catalogue applied to implementations: which cases there are, and what each comes to.
///
/// Cases share nothing, so they may run side by side in any order; results go by the order of the plan.
public struct Suite: Sendable {
  /// One case of the plan.
  public struct Item: Sendable {
    /// Index into `implementations`.
    public var implementation: Int
    public var purpose: TestPurpose
    public var id: CaseID
  }

  public var implementations: [ImplementationUnderTest]
  /// The clauses by which they are judged.
  public var judged = JudgedClauses()
  /// In the order of implementations, dialects and catalogue.
  public private(set) var items: [Item]

  /// - Parameters:
  ///   - purposes: what is tested, nil: all there are; only those of an implementation's role are planned.
  ///   - dialects: nil means all that an implementation is to be tested in.
  ///   - seed: instead of those of each purpose.
  ///   - assuming: steps that the bench takes for all implementations, by name.
  ///   - cut: what all cases are played without.
  public init(
    _ implementations: [ImplementationUnderTest], selection: CaseSelection = CaseSelection(),
    dialects: [DialectName]? = nil, seed: UInt64? = nil, purposes: [TestPurpose]? = nil, assuming: [String] = [],
    cut: StageCut = StageCut()
  ) {
    self.implementations = implementations
    items = []
    for (index, implementation) in implementations.enumerated() {
      let mine = (purposes ?? implementation.app.purposes).filter {
        $0.role == implementation.role && selection.contains($0.id)
      }
      for dialect in implementation.dialects where dialects?.contains(dialect) ?? true {
        for purpose in mine where purpose.dialects.contains(dialect) {
          items += (seed.map { [$0] } ?? purpose.seeds).map {
            let id = CaseID(purpose: purpose.id, dialect: dialect, seed: $0, assuming: assuming, cut: cut)
            return Item(implementation: index, purpose: purpose, id: id)
          }
        }
      }
    }
  }

  /// Leaves out of the plan what is not wanted.
  public mutating func keep(_ isWanted: (Item) -> Bool) { items.removeAll { !isWanted($0) } }

  /// The implementations with the dialects that the plan tests them in.
  public var tested: [ImplementationUnderTest] {
    implementations.enumerated().map { index, implementation in
      var implementation = implementation
      implementation.dialects = implementation.dialects.filter { dialect in
        items.contains { $0.implementation == index && $0.id.dialect == dialect }
      }
      return implementation
    }
  }

  /// Why a case of the plan does not apply; nil when it does.
  public func notApplicable(_ item: Item) -> String? {
    CaseRunner.notApplicable(item.purpose, item.id, implementations[item.implementation], judged)
  }

  /// Runs one case; readers get every record and never change the result.
  public func run(_ item: Item, readers: [any TraceReader] = []) -> CaseResult {
    CaseRunner.run(item.purpose, item.id, on: implementations[item.implementation], judged: judged, readers: readers)
  }
}
