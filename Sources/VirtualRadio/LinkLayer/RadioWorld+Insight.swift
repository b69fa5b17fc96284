package import SimKernel

/// What laws about several links need to know of them.
extension RadioWorld {
  /// The anchor of the present or next event of each connection there was, in the order in which they were made.
  package var anchors: [SimInstant] { connections.map(\.anchor) }

  package func position(of device: Int) -> Position { medium.position(of: device) }

  /// Whether a radio sends and receives: it is neither off nor gone.
  package func isOn(_ device: Int) -> Bool { radios[device].isOn }

  /// Central and peripheral of each link that is up.
  package var linkedDevices: [(central: Int, peripheral: Int)] {
    radios.flatMap { radio in
      radio.links.compactMap { link in
        link.central.radio === radio ? (radio.index, link.peripheral.radio.index) : nil
      }
    }
  }
}
