import AppSeam
import BluetoothWire
import VirtualRadio

/// The services that an app has published by type, without naming their attributes.
struct PlainServices {
  private struct Published {
    var definition: ServiceDefinition
    /// Nil: there were no handles left.
    var range: ATT.HandleRange?
    /// The phone has kept it while Bluetooth was off, and the app has not published it again.
    var isKept = false
  }

  private var published: [Published] = []

  /// An app that publishes again what its phone has kept has it once, as an app has that removes its services first.
  mutating func publish(_ service: ServiceDefinition, on host: HostStack) {
    if let place = published.firstIndex(where: { $0.isKept && $0.definition == service }) {
      published[place].isKept = false
      return
    }
    published.append(Published(definition: service, range: host.publish(GATT.Service(service))))
  }

  /// The app has died.
  mutating func removeAll(from host: HostStack) {
    for service in published { if let range = service.range { host.unpublish(range) } }
    published = []
  }

  /// Bluetooth was off, and a new stack is there.
  /// - Parameter isKept: the phone has kept them.
  mutating func enter(_ host: HostStack, isKept: Bool) {
    published = isKept ? published : []
    for place in published.indices {
      published[place].range = host.publish(GATT.Service(published[place].definition))
      published[place].isKept = true
    }
  }
}
