public import BabSim

/// Every test purpose there is, in the order in which reports list them.
public enum Catalog {
  public static let all: [TestPurpose] = bab

  public static func named(_ id: String) -> TestPurpose? { all.first { $0.id == id } }

  /// The purposes for engines of a role.
  public static func all(role: AppRole) -> [TestPurpose] { all.filter { $0.role == role } }
}
