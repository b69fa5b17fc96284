import AppSeam
import NetworkWire
import SimKernel

extension NetworkWorld {
  func register(_ listener: NetworkListener, _ device: NetworkDevice, _ interface: NetworkInterface) {}
  func unregister(
    _ listener: NetworkListener, _ device: NetworkDevice, _ interface: NetworkInterface, saysGoodbye: Bool
  ) {}
  func search(_ type: String, _ device: NetworkDevice, _ interface: NetworkInterface) {}
  func stopNames(_ type: String, _ device: NetworkDevice) {}
  func reviewNames(_ device: NetworkDevice) {}
  func namesAreDue(_ index: Int, _ interface: NetworkInterface) {}
  func receive(_ message: DNSMessage, _ packet: Packet) {}
  func neighbourAppeared(_ device: NetworkDevice) {}
}
