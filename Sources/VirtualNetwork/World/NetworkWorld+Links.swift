import AppSeam
import SimKernel

extension NetworkWorld {
  /// Scan, authentication, association and address (NET 3.2).
  static let joinTime: ClosedRange<SimDuration> = .milliseconds(800) ... .milliseconds(1_600)
  /// 100 TU (NET 3.3).
  static let beaconInterval = SimDuration.microseconds(102_400)
  /// Beacons in a row without which a link is gone (NET 3.5).
  static let beaconsMissed: Int64 = 10

  // MARK: Reach

  func askForReach() {
    let count = devices.count
    reach = Array(repeating: true, count: (count + 1) * (count + 1))
    for a in 0...count {
      for b in 0...count where a != b {
        let (first, second) = (a == count ? Self.accessPointStation : a, b == count ? Self.accessPointStation : b)
        reach[a * (count + 1) + b] = surroundings.reaches(first, second)
      }
    }
  }

  /// By place; the number after the last device is the access point.
  func reaches(_ a: Int, _ b: Int) -> Bool { reach[a * (devices.count + 1) + b] }

  // MARK: Infrastructure

  /// Joins, leaves, or notices that the access point is gone, as switches and places want it.
  func reviewInfrastructure(_ device: NetworkDevice) {
    let isWanted = device.wantsInfrastructure && device.wifiIsOn
    let hears = !device.isVanished && reaches(device.index, devices.count)
    if !isWanted {
      cancel(&device.joinEvent)
      cancel(&device.beaconLossEvent)
      setJoined(device, false)
      return
    }
    if hears {
      cancel(&device.beaconLossEvent)
      if device.isJoined || device.joinEvent != nil { return }
      device.joins += 1
      let time = air == nil ? .zero : draw(Self.joinTime, .join, device.number, UInt64(device.joins))
      device.joinEvent = schedule(.joined, device.index, after: time)
    } else {
      cancel(&device.joinEvent)
      if device.isJoined, device.beaconLossEvent == nil {
        device.beaconLossEvent = schedule(.beaconLoss, device.index, after: Self.beaconInterval * Self.beaconsMissed)
      }
    }
  }

  func join(_ device: NetworkDevice) {
    device.joinEvent = nil
    setJoined(device, true)
  }

  func beaconsAreMissed(_ device: NetworkDevice) {
    device.beaconLossEvent = nil
    setJoined(device, false)
  }

  private func setJoined(_ device: NetworkDevice, _ isJoined: Bool) {
    if device.isJoined == isJoined { return }
    device.isJoined = isJoined
    linkChanged(device, .infrastructure)
  }

  // MARK: Changes

  func setWiFi(_ device: NetworkDevice, isOn: Bool) {
    if device.wifiIsOn == isOn { return }
    device.wifiIsOn = isOn
    if device.station.hasPeerToPeer { linkChanged(device, .peerToPeer) }
    reviewInfrastructure(device)
  }

  /// An interface has a link now, or none.
  private func linkChanged(_ device: NetworkDevice, _ interface: NetworkInterface) {
    surroundings.observe(.link(interface, isUp: device.hasLink(interface)), device: device.index)
    if !device.hasLink(interface) { dropFrames(device.index, interface) }
    reviewAsks(device)
    reviewNeighbours()
    // Also a device that has nothing but an access point.
    retune()
    tellPath(device)
    reviewNames(device)
    reviewConnections(device)
  }

  /// Tells the app which interfaces have a link, if it does not know.
  func tellPath(_ device: NetworkDevice) {
    guard device.lastPath != nil, device.lastPath != device.links else { return }
    device.lastPath = device.links
    tell(device, .pathChanged(device.links))
  }
}
