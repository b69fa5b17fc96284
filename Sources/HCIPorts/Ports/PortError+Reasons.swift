import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension PortError {
  /// What an error of the system says, in a few words.
  static func reason(_ error: any Error) -> String {
    if let error = error as? PortError { return error.description }
    if let code = code(of: error) { return reason(code: code) }
    if let error = error as? ChannelError { return reason(error) }
    if let error = error as? SocketAddressError, error == .unixDomainSocketPathTooLong { return "its path is too long" }
    if error is SocketAddressError || error is SocketAddressError.UnknownHost { return "no such host" }
    if let error = error as? NIOConnectionError, error.dnsAError ?? error.dnsAAAAError != nil { return "no such host" }
    return unknown
  }

  /// What a channel says of itself, in words of somebody who uses it.
  private static func reason(_ error: ChannelError) -> String {
    switch error {
    case .connectTimeout, .connectPending: "no answer"
    case .eof, .inputClosed: "the other side has closed it"
    case .ioOnClosedChannel, .alreadyClosed, .outputClosed: "it is closed"
    case .writeMessageTooLarge: "too much was sent at once"
    case .writeHostUnreachable: "its host cannot be reached"
    default: unknown
    }
  }

  /// Errors of the library below that say nothing to somebody who uses the port.
  private static let unknown = "the system does not say why"

  /// The error number, if it is one of the system's; with several attempts to connect, the first one's.
  static func code(of error: any Error) -> CInt? {
    if let error = error as? IOError { return error.errnoCode }
    if let error = error as? NIOConnectionError, let first = error.connectionErrors.first {
      return code(of: first.error)
    }
    return nil
  }

  /// An error number as an error.
  static func system(_ code: CInt) -> any Error { IOError(errnoCode: code, reason: "system call") }

  static func reason(code: CInt) -> String {
    switch code {
    case ECONNRESET: "connection reset"
    case ECONNREFUSED: "connection refused"
    case EPIPE: "it does not listen any more"
    case EADDRINUSE: "another program serves there already"
    case EADDRNOTAVAIL: "no such address on this machine"
    case EACCES, EPERM: "no permission"
    case ENOENT: "no such file"
    case ENAMETOOLONG: "its path is too long"
    case EIO: "the line is cut"
    default: String(cString: strerror(code))
    }
  }

  /// Why nothing can be served at an address.
  static func serving(_ address: PortAddress, _ error: any Error) -> PortError {
    switch (address, code(of: error)) {
    case (.tcp(_, let port), EACCES) where port < 1_024:
      PortError("\(address): ports below 1024 need CAP_NET_BIND_SERVICE; take a higher one")
    case (.tcp, EADDRNOTAVAIL): PortError("\(address): no interface of this machine has that address")
    default: PortError("\(address): cannot be served: \(reason(error))")
    }
  }

  /// Why a controller cannot be reached at an address.
  static func connecting(_ address: PortAddress, _ error: any Error) -> PortError {
    switch (address, code(of: error)) {
    case (_, ECONNREFUSED): PortError("\(address): connection refused: no controller is served there")
    case (.unix, ENOENT): PortError("\(address): no such socket: no controller is served there")
    case (.pty, ENOENT): PortError("\(address): no such device")
    case (.pty, ENOTTY): PortError("\(address): this is no terminal device")
    case (.pty, EBUSY): PortError("\(address): another program has this device")
    case (.pty, EACCES): PortError("\(address): no permission to open it; the group of the device may (often dialout)")
    case (.unix, EACCES): PortError("\(address): no permission to connect to this socket")
    case (.user(let adapter), let code?): user(adapter, code)
    default: PortError("\(address): no controller there: \(reason(error))")
    }
  }

  private static func user(_ adapter: Int, _ code: CInt) -> PortError {
    let address = PortAddress.user(adapter: adapter)
    return switch code {
    case EAFNOSUPPORT, EPROTONOSUPPORT, ENOSYS:
      PortError("\(address): no Bluetooth in this kernel; HCI user channels need Linux with the module bluetooth")
    case ENODEV, EINVAL: PortError("\(address): no such adapter; hciconfig -a lists those there are")
    case EPERM, EACCES: PortError("\(address): no permission: this program needs CAP_NET_ADMIN")
    case EBUSY: PortError("\(address): the adapter is up; take it down first: hciconfig hci\(adapter) down")
    case EUSERS, EALREADY: PortError("\(address): another program has the user channel of this adapter")
    case ERFKILL: PortError("\(address): the adapter is blocked; rfkill unblock bluetooth")
    default: PortError("\(address): the user channel cannot be opened: \(reason(code: code))")
    }
  }
}
