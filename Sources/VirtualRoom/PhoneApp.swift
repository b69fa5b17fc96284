import AppSeam
import BluetoothWire
import CoreBluetooth
import SimKernel
import VirtualApp

/// The app of a test as a room keeps it: how its object is made, and what its person does with it.
struct PhoneApp<App: AnyObject> {
  let box = AppBox<App>()
  let make: (AppConfiguration) -> App
  let user: ((App, RoomAction) -> Void)?

  init(user: ((App, RoomAction) -> Void)? = nil, app: @escaping (AppConfiguration) -> App) {
    make = app
    self.user = user
  }

  func launch(_ configuration: AppConfiguration, memory: PhoneMemory, address: BluetoothAddress) -> PhoneEngine {
    PhoneEngine(configuration, name: "phone-\(configuration.device)", address: address, memory: memory) { [box, make] in
      let made = make(configuration)
      box.app = made
      return made
    }
  }

  /// What the person of the app does; nil: the test does all of it.
  var person: ((AppAction) -> Void)? {
    guard let user else { return nil }
    return { [box] action in if let app = box.app { user(app, RoomAction(action)) } }
  }
}

/// Holds what a launch made.
final class AppBox<App: AnyObject> {
  var app: App?
}

/// A phone whose person also does what steps of a scenario say.
final class AttendedPhone: AppEngine {
  private let engine: PhoneEngine
  private let person: (AppAction) -> Void

  init(_ engine: PhoneEngine, person: @escaping (AppAction) -> Void) {
    self.engine = engine
    self.person = person
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    guard case .user(let action) = input else { return engine.handle(input, at: now) }
    return engine.act(at: now) { [person] in person(action) }
  }
}
