package import AppSeam
package import SimKernel

/// Counts what an app gets at one instant: one whose every answer brings another input at the same instant never comes
/// to rest, and time never goes on.
package struct InstantRest {
  /// Inputs at one instant, octets of streams apart; more, and it never comes to rest.
  package static let limit = 10_000

  static var failure: IUTFailure {
    IUTFailure(
      .flooded, "it got \(limit) inputs at one instant, and asks for more", cause: "never comes to rest")
  }

  package init() {}

  private var instant = SimInstant.zero
  private var inputs = 0

  /// Counts an input; false when it is one too many.
  package mutating func takes(_ input: AppInput, at now: SimInstant) -> Bool {
    if now != instant { (instant, inputs) = (now, 0) }
    if case .network(.received) = input {} else { inputs += 1 }
    return inputs <= Self.limit
  }
}
