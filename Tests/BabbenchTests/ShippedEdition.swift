import Testing

@testable import Commands
@testable import babbench

/// Commands that are parsed in the process of the tests know the apps that the executable knows.
struct ShippedEdition: SuiteTrait, TestTrait {
  func prepare(for test: Test) { Edition.choose(.shipped) }
}

extension Trait where Self == ShippedEdition {
  static var shippedEdition: Self { Self() }
}
