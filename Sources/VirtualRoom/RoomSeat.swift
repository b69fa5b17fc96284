import AppSeam
import VirtualProgram

/// Who is on one device of a room.
final class RoomSeat {
  enum Kind {
    /// An engine of the bench, a program that the scenario names, or nobody.
    case engine
    /// Something that only advertises.
    case beacon(() -> any AppEngine)
    /// An app of the test.
    case phone(Phone)
  }

  /// How an app of the test is launched and let go of.
  struct Phone {
    let launch: (AppConfiguration) -> PhoneEngine
    /// Releases what the newest launch made.
    let forget: () -> Void
  }

  let kind: Kind
  /// The newest launch of an app of the test.
  private(set) var engine: PhoneEngine?
  /// Whether its app, whoever that is, was launched.
  var isLaunched = false

  init(_ kind: Kind) { self.kind = kind }

  /// Launches the app of the test, and ends the launch before.
  func launch(_ phone: Phone, _ configuration: AppConfiguration) -> any AppEngine {
    engine?.end(forget: phone.forget)
    let launched = phone.launch(configuration)
    engine = launched
    isLaunched = true
    return launched
  }

  /// Ends the app of the test, if there is one.
  func end() {
    if case .phone(let phone) = kind { engine?.end(forget: phone.forget) }
  }
}
