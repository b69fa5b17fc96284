/// The one mistake that a sample is started with.
public enum ChosenMistake {
  /// The mistake of this name; nil: no name, so no mistake. A name that there is not ends the program.
  public static func named<Mistake: RawRepresentable<String> & CaseIterable>(_ name: String?) -> Mistake? {
    guard let name else { return nil }
    guard let mistake = Mistake(rawValue: name) else {
      fatalError("there is no mistake \(name); there are \(Mistake.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return mistake
  }
}
