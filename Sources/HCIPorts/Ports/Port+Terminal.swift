import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Terminals: a pseudo-terminal for a host, or the terminal of a controller.
extension Port {
  /// Opens the terminal of a controller: raw octets, eight bits, no parity, one stop bit. Its speed stays as it is.
  func connectTerminal(_ path: String) throws(PortError) -> EventLoopFuture<Void> {
    let address = configuration.address
    let descriptor = Descriptor.opening(path, O_RDWR | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else { throw PortError.connecting(address, PortError.system(errno)) }
    guard Terminal.makeRaw(descriptor) else {
      let code = errno
      Descriptor.shut(descriptor)
      throw PortError.connecting(address, PortError.system(code))
    }
    return connected(adopt(descriptor, makeControllerConnection(.stream), readsAtOnce: false))
  }

  /// Makes a pseudo-terminal, with a symbolic link to it if one is wanted.
  func serveTerminal(link: String?) throws(PortError) -> EventLoopFuture<Void> {
    let terminal = try Terminal(configuration.address)
    if let link {
      do throws(PortError) {
        try terminal.link(at: link, for: configuration.address)
      } catch {
        terminal.close()
        throw error
      }
    }
    place.terminal = terminal.path
    let session = TerminalSession(port: self, terminal: terminal)
    closers.append {
      session.close()
      terminal.close()
    }
    vacated = { session.arm() }
    line(
      "serving a host at \(terminal.path)" + (link.map { ", which is linked at \($0)" } ?? "") + ", this machine only")
    report.address = link == nil ? "h4:pty:\(terminal.path)" : report.address
    session.arm()
    return session.watch()
  }
}

/// Our own pseudo-terminal. Its other end is held open, so that it survives hosts that come and go.
final class Terminal {
  let path: String
  let master: CInt
  private let held: CInt
  private var linked: (path: String, file: SocketFile.Identity?)?

  init(_ address: PortAddress) throws(PortError) {
    var master: CInt = -1
    var held: CInt = -1
    guard openpty(&master, &held, nil, nil, nil) == 0 else {
      throw PortError("\(address): no pseudo-terminal is available: \(PortError.reason(code: errno))")
    }
    for descriptor in [master, held] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    guard let name = ttyname(held), Terminal.makeRaw(held) else {
      let code = errno
      Descriptor.shut(master)
      Descriptor.shut(held)
      throw PortError("\(address): the pseudo-terminal cannot be set up: \(PortError.reason(code: code))")
    }
    path = String(cString: name)
    self.master = master
    self.held = held
  }

  /// Octets as they are, eight bits, no parity, one stop bit; a read waits for one octet.
  static func makeRaw(_ descriptor: CInt) -> Bool {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else { return false }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CREAD | CLOCAL | CS8)
    settings.c_cflag &= ~tcflag_t(CSTOPB | PARENB)
    return tcsetattr(descriptor, TCSANOW, &settings) == 0
  }

  /// Puts a symbolic link there. An old link is replaced; any other file is left alone and refused.
  func link(at place: String, for address: PortAddress) throws(PortError) {
    var status = stat()
    if lstat(place, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFLNK else {
        throw PortError("\(address): a file is there that is no link; remove it or take another path")
      }
      unlink(place)
    }
    guard symlink(path, place) == 0 else {
      throw PortError("\(address): the link cannot be made: \(PortError.reason(code: errno))")
    }
    linked = (place, SocketFile.identity(of: place))
  }

  /// What one host left unread is not for the next.
  func flush() { tcflush(held, TCIOFLUSH) }

  func close() {
    if let linked, SocketFile.identity(of: linked.path) == linked.file { unlink(linked.path) }
    Descriptor.shut(held)
    Descriptor.shut(master)
  }
}

/// Hosts at a pseudo-terminal, one after the other.
///
/// The owner of a pseudo-terminal is not told when it is opened; on Linux inotify tells it. Elsewhere a host
/// has the seat from its first octet, and is never seen to leave.
final class TerminalSession {
  /// Octets that were written just before the device was closed are still on their way.
  private static let grace = TimeAmount.milliseconds(20)

  private unowned let port: Port
  private let terminal: Terminal
  private var connection: H4Connection?
  private var watching: (any Channel)?
  /// How many have the device open, as far as it can be counted: events that are alike may be merged.
  private var openings = 0
  private var farewell: Scheduled<Void>?

  init(port: Port, terminal: Terminal) {
    self.port = port
    self.terminal = terminal
  }

  /// Gets ready for the next host.
  func arm() {
    terminal.flush()
    let copy = fcntl(terminal.master, F_DUPFD_CLOEXEC, 0)
    let next = H4Connection(port: port, partner: "a host", taking: .asked)
    connection = next
    guard copy >= 0 else { return port.line("no descriptor left for the next host") }
    port.adopt(copy, next, readsAtOnce: true).assumeIsolated().whenFailure { [port] error in
      port.line("the terminal cannot be watched: \(PortError.reason(error))")
    }
  }

  func opened() {
    if farewell != nil { left() }
    openings += 1
    connection?.takeSeat()
  }

  func closed() {
    openings = max(openings - 1, 0)
    guard openings == 0, farewell == nil else { return }
    farewell = port.owner.eventLoop.assumeIsolated().scheduleTask(in: TerminalSession.grace) { [self] in left() }
  }

  private func left() {
    farewell?.cancel()
    farewell = nil
    guard let connection, connection.isSeated else { return }
    connection.giveUpSeat("has left")
  }

  func close() {
    farewell?.cancel()
    connection?.close()
    connection = nil
    watching?.close(promise: nil)
    watching = nil
  }

  /// Sees the device being opened and closed.
  func watch() -> EventLoopFuture<Void> {
    let loop = port.owner.eventLoop
    #if os(Linux)
      let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
      guard descriptor >= 0 else { return loop.makeSucceededVoidFuture() }
      let mask = UInt32(IN_OPEN | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
      guard inotify_add_watch(descriptor, terminal.path, mask) >= 0 else {
        Descriptor.shut(descriptor)
        return loop.makeSucceededVoidFuture()
      }
      let bound = NIOLoopBound(DeviceWatch(session: self), eventLoop: loop)
      return NIOPipeBootstrap(group: loop)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
        }
        .takingOwnershipOfDescriptor(input: descriptor).assumeIsolated().map { [self] in watching = $0 }.nonisolated()
    #else
      return loop.makeSucceededVoidFuture()
    #endif
  }
}

#if os(Linux)
  /// Reads inotify events: watch 4, mask 4, cookie 4, length 4, and a name of that length.
  private final class DeviceWatch: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let session: TerminalSession

    init(session: TerminalSession) { self.session = session }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var buffer = unwrapInboundIn(data)
      while let (_, mask, _, length) = buffer.readMultipleIntegers(
        endianness: .host, as: (UInt32, UInt32, UInt32, UInt32).self)
      {
        buffer.moveReaderIndex(forwardBy: min(Int(length), buffer.readableBytes))
        if mask & UInt32(IN_OPEN) != 0 { session.opened() }
        if mask & UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE) != 0 { session.closed() }
      }
    }
  }
#endif
