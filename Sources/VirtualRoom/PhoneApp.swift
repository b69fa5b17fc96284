import AppSeam
import BluetoothWire
import CoreBluetooth
import VirtualProgram

/// The app of a test as a room keeps it: how its object is made, and what its person does with it.
struct PhoneApp<App: AnyObject> {
  let box = AppBox<App>()
  let make: (AppConfiguration) -> App
  let user: ((App, RoomAction) -> Void)?

  init(user: ((App, RoomAction) -> Void)? = nil, app: @escaping (AppConfiguration) -> App) {
    make = app
    self.user = user
  }

  func launch(_ configuration: AppConfiguration, address: BluetoothAddress) -> PhoneEngine {
    let memory = PhoneMemory(configuration.memory, isRestored: configuration.isRestored)
    let engine = PhoneEngine(
      configuration, name: "phone-\(configuration.device)", address: address, memory: memory
    ) { [box, make] in
      let made = make(configuration)
      box.app = made
      return made
    }
    if let user { engine.person = { [box] action in if let app = box.app { user(app, RoomAction(action)) } } }
    return engine
  }
}

/// Holds what a launch made.
final class AppBox<App: AnyObject> {
  var app: App?
}
