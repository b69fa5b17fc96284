package import BluetoothWire
import SimKernel

/// A device as captures show it: a controller whose HCI was captured, addresses it used, names that its app gave.
package struct EndDevice {
  package var adapter: TrafficAdapter?
  package var addresses: [BluetoothAddress] = []
  /// What it calls itself in the protocol.
  var labels: [String] = []
}

/// Who is who at the ends of connections.
package struct EndDevices {
  package private(set) var devices: [EndDevice] = []
  /// By connection: the devices at its server and client end.
  package private(set) var servers: [Int] = []
  package private(set) var clients: [Int] = []

  /// - Parameter label: what an end calls itself in the protocol, nil when it never said. An address may change, and
  ///   what an app calls itself stays; two ends that are there at the same time are two devices all the same.
  package init(_ connections: [EndConnection], label: (EndConnection, _ ofServer: Bool) -> String?) {
    for connection in connections {
      let server = find(connection, ofServer: true, label(connection, true), connections)
      let client = find(connection, ofServer: false, label(connection, false), connections)
      servers.append(server)
      clients.append(client)
    }
  }

  /// The device that uses an address or an adapter, nil when it has no connection of the protocol.
  package func device(address: BluetoothAddress?, adapter: TrafficAdapter?) -> Int? {
    if let adapter { return devices.firstIndex { $0.adapter === adapter } }
    guard let address else { return nil }
    return devices.firstIndex { $0.addresses.contains(address) || $0.adapter?.addresses.contains(address) ?? false }
  }

  private mutating func find(
    _ connection: EndConnection, ofServer: Bool, _ label: String?, _ connections: [EndConnection]
  ) -> Int {
    let adapter = connection.track(ofServer: ofServer)?.link.adapter
    let addresses = connection.addresses(ofServer: ofServer)
    let place =
      devices.firstIndex { $0.adapter != nil && $0.adapter === adapter }
      ?? devices.firstIndex { device in
        guard adapter == nil || device.adapter == nil else { return false }
        return addresses.contains(where: device.addresses.contains)
      }
      ?? devices.indices.first { index in
        guard let label, devices[index].labels.contains(label), adapter == nil || devices[index].adapter == nil else {
          return false
        }
        return !isBusy(index, ofServer: ofServer, connection, connections)
      }
    let index = place ?? devices.count
    if place == nil { devices.append(EndDevice()) }
    devices[index].adapter = devices[index].adapter ?? adapter
    devices[index].addresses += addresses.filter { !devices[index].addresses.contains($0) }
    if let label, !devices[index].labels.contains(label) { devices[index].labels.append(label) }
    return index
  }

  /// Whether a client has another connection at the time; a server may have many.
  private func isBusy(
    _ device: Int, ofServer: Bool, _ connection: EndConnection, _ connections: [EndConnection]
  ) -> Bool {
    if ofServer { return false }
    return clients.enumerated().contains { index, client in
      client == device && connections[index].isUp(at: connection.openedAt)
    }
  }
}
