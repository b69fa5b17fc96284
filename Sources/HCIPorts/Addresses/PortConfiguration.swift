/// A seat of a world, and where its outsider comes from.
public struct PortConfiguration: Hashable, Sendable {
  /// Who is on the far side.
  public enum Partner: Hashable, Sendable {
    /// A host stack comes to one of our controllers: the port serves.
    case host
    /// A program comes to one of our radios, as its link layer (ADR 0044): the port serves.
    case linkLayer
    /// One of our host stacks goes to a controller: the port connects.
    case controller
  }

  /// The device's index in its world.
  public var device: Int
  /// The device's name, for the log.
  public var name: String
  public var partner: Partner
  public var address: PortAddress
  /// The longest H4 packet that is taken from this partner, indicator included; a length beyond it is loss of step.
  /// Commands never have more than 259 octets, and none of our controllers offers buffers beyond this.
  public var packetLimit = 4_096

  /// An address with what goes over it: `air:` where others have `h4:`.
  func text(of address: PortAddress) -> String {
    partner == .linkLayer ? address.airText : address.description
  }

  public init(device: Int, name: String, partner: Partner, address: PortAddress) {
    self.device = device
    self.name = name
    self.partner = partner
    self.address = address
  }

  /// Refuses an address that cannot do what the partner wants.
  public func validate() throws(PortError) {
    switch partner {
    case .host where !address.canServe:
      throw PortError("\(address) for \(name): a host cannot come there; serve h4:tcp, h4:unix, h4:pty or vhci")
    case .controller where !address.canConnect:
      throw PortError(
        "\(address) for \(name): no controller can be reached there; "
          + "connect to h4:tcp:HOST:PORT, h4:unix:PATH, h4:pty:PATH or user:hciN")
    case .linkLayer where !address.canServeAir:
      throw PortError(
        "\(address.airText) for \(name): a program for the air can come to air:tcp:PORT and air:unix:PATH")
    default: break
    }
  }
}
