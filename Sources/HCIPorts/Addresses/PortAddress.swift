/// Where a port is: a transport and its place, as it stands on a command line.
///
/// | Text | Serving (a host comes to us) | Connecting (we go to a controller) |
/// |---|---|---|
/// | `h4:tcp:PORT` | listens on 127.0.0.1; port 0 lets the system choose | connects to 127.0.0.1 |
/// | `h4:tcp:HOST:PORT`, `h4:tcp:[::1]:PORT` | listens there | connects there |
/// | `h4:unix:PATH` | a stream socket at PATH | connects to it |
/// | `h4:pty` | a pseudo-terminal, its name is in the log | |
/// | `h4:pty:PATH` | a pseudo-terminal, with a symbolic link at PATH | opens the terminal device at PATH |
/// | `vhci` | an adapter of this machine's kernel (`/dev/vhci`) | |
/// | `user:hciN` | | the HCI user channel of adapter N |
///
/// H4 is the UART transport layer: Core v5.4, Vol 4, Part A. On TCP and Unix sockets the same octets go by common
/// usage.
public enum PortAddress: Hashable, Sendable {
  case tcp(host: String, port: Int)
  case unix(path: String)
  case pty(path: String?)
  case vhci
  case user(adapter: Int)

  /// The longest path of a Unix socket that every platform takes.
  public static let maximumSocketPath = 103

  /// Only this machine can reach it. Only a TCP address may be reachable from elsewhere. A name
  /// counts as loopback when it is `localhost`.
  public var isLoopback: Bool {
    guard case .tcp(let host, _) = self else { return true }
    return host == "localhost" || host == "::1" || PortAddress.isLoopbackIPv4(host)
  }

  /// A host from outside can come here.
  public var canServe: Bool {
    if case .user = self { false } else { true }
  }

  /// Programs for the air can come here.
  var canServeAir: Bool {
    switch self {
    case .tcp, .unix: true
    case .pty, .vhci, .user: false
    }
  }

  /// As it is written for a port for the air.
  public var airText: String { description.hasPrefix("h4:") ? "air:" + description.dropFirst(3) : description }

  /// A controller from outside can be reached here.
  public var canConnect: Bool {
    switch self {
    case .tcp(_, let port): port != 0
    case .unix, .user: true
    case .pty(let path): path != nil
    case .vhci: false
    }
  }

  private static func isLoopbackIPv4(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension PortAddress: CustomStringConvertible {
  /// As `init(parsing:)` reads it.
  public var description: String {
    switch self {
    case .tcp("127.0.0.1", let port): "h4:tcp:\(port)"
    case .tcp(let host, let port): host.contains(":") ? "h4:tcp:[\(host)]:\(port)" : "h4:tcp:\(host):\(port)"
    case .unix(let path): "h4:unix:\(path)"
    case .pty(nil): "h4:pty"
    case .pty(let path?): "h4:pty:\(path)"
    case .vhci: "vhci"
    case .user(let adapter): "user:hci\(adapter)"
    }
  }
}
