import AppSeam

/// An interface of the device.
///
/// Source: Apple, `NWInterface`. A virtual phone has `en0`, Wi-Fi through an access point, and `awdl0`, Wi-Fi from peer
/// to peer; both are of type `wifi`.
public struct NWInterface: Hashable, Sendable, CustomDebugStringConvertible {
  /// What kind of link an interface has.
  public enum InterfaceType: Hashable, Sendable {
    /// None of the others.
    case other
    /// Wi-Fi.
    case wifi
    /// A mobile network.
    case cellular
    /// Ethernet with a cable.
    case wiredEthernet
    /// The device itself.
    case loopback
  }

  /// The kind of link.
  public let type: InterfaceType
  /// As the system calls it.
  public let name: String
  /// The system's number for it.
  public let index: Int

  /// The name.
  public var debugDescription: String { name }

  static let infrastructure = NWInterface(type: .wifi, name: "en0", index: 4)
  static let peerToPeer = NWInterface(type: .wifi, name: "awdl0", index: 11)

  init(_ interface: NetworkInterface) {
    switch interface {
    case .infrastructure: self = .infrastructure
    case .peerToPeer: self = .peerToPeer
    }
  }

  init(type: InterfaceType, name: String, index: Int) {
    self.type = type
    self.name = name
    self.index = index
  }

  /// The bench's word for it; nil: a virtual phone has no such interface.
  var word: NetworkInterface? {
    switch name {
    case Self.infrastructure.name: .infrastructure
    case Self.peerToPeer.name: .peerToPeer
    default: nil
    }
  }
}
