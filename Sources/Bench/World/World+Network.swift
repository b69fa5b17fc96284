package import AppSeam
import Platform
package import SimKernel
package import VirtualNetwork
import VirtualRadio

/// The network beside the radio, as a world has it.
extension World {
  /// A station for each device, whether it has interfaces or not, so that both have the same numbers.
  func stations() -> [NetworkStation] {
    scenario.devices.enumerated().map { index, device in
      var station = NetworkStation(name: device.name)
      let interfaces = hasApp(index) ? device.interfaces : []
      station.hasInfrastructure = interfaces.contains(.infrastructure)
      station.hasPeerToPeer = interfaces.contains(.peerToPeer) && scenario.network?.hasPeerToPeer == true
      station.reclaimsSockets = device.phone.background.reclaimsSockets
      return station
    }
  }

  /// Nil: there is no network.
  func networkUse(of device: Int) -> RunOutcome.NetworkUse? {
    guard let network else { return nil }
    var use = networkUses[device]
    use.traffic = network.statistics.devices[device]
    return use
  }

  /// Counts what an app is told of its network.
  func count(_ input: NetworkInput, device: Int) {
    switch input {
    case .ready: networkUses[device].streamsOpened += 1
    case .incoming: networkUses[device].streamsAccepted += 1
    case .failed: networkUses[device].streamsFailed += 1
    case .found: networkUses[device].servicesFound += 1
    default: break
    }
  }

  /// What an app without a network is told of what it asks for: there is none.
  private func refuse(_ effect: NetworkEffect, device: Int) {
    switch effect {
    case .listen(let request):
      platforms[device].tell(.network(.listenerFailed(type: request.type, .noPath)))
    case .connect(let connection, _): platforms[device].tell(.network(.failed(connection, .noPath)))
    case .send(let connection, _): platforms[device].tell(.network(.submitted(connection, accepted: false)))
    case .cancel(let connection): platforms[device].tell(.network(.cancelled(connection)))
    case .updateRecord, .stopListening, .browse, .stopBrowsing, .prime, .finish, .read: break
    }
  }
}

extension World {
  package func perform(_ effect: NetworkEffect, device: Int) {
    guard let keptNetwork else { return refuse(effect, device: device) }
    keptNetwork.with { $0.perform(effect, device: device) }
  }

  package func applyToNetwork(_ fault: NetworkFault, device: Int) { network?.apply(fault, device: device) }
  package func appStarted(_ device: Int) { network?.appStarted(device) }
  package func appEnded(_ device: Int) { network?.appEnded(device) }
}

extension World: NetworkSurroundings {
  /// Transmit power and sensitivity of NET 1.5, hundredths of dB: the greatest loss that leaves a frame readable.
  private static let greatestLoss = 1_500 + 8_200

  package func reaches(_ a: Int, _ b: Int) -> Bool {
    let place = scenario.network?.accessPoint ?? Position(x: 0, y: 0)
    let loss =
      switch (a == NetworkWorld.accessPointStation, b == NetworkWorld.accessPointStation) {
      case (true, true): 0
      case (true, false): radio.loss(from: place, to: b)
      case (false, true): radio.loss(from: place, to: a)
      case (false, false): radio.loss(from: a, to: b)
      }
    return loss <= Self.greatestLoss
  }

  package func observe(_ event: NetworkEvent, device: Int) { record(.network(event), device) }

  package func occupies(_ device: Int, centreMHz: Int, from start: SimInstant, to end: SimInstant) {
    if let index = stationsOnAir.interferer(of: device, centreMHz: centreMHz) {
      radio.noteInterference(index, from: start, to: end)
    }
  }
}
