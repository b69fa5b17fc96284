import NIOCore
import NIOPosix

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How a port is opened: once, before time begins.
extension Port {
  /// Listens, or connects. Fails with a `PortError`.
  func open() -> EventLoopFuture<Void> {
    let loop = owner.eventLoop
    do throws(PortError) {
      switch (configuration.partner, configuration.address) {
      case (.host, .tcp(let host, let port)), (.linkLayer, .tcp(let host, let port)):
        return listen(host: host, port: port)
      case (.host, .unix(let path)), (.linkLayer, .unix(let path)): return try listen(path: path)
      case (.host, .pty(let path)): return try serveTerminal(link: path)
      case (.host, .vhci): return try serveKernel()
      case (.controller, .tcp(let host, let port)):
        return connected(connecting().connect(host: host, port: port))
      case (.controller, .unix(let path)): return connected(connecting().connect(unixDomainSocketPath: path))
      case (.controller, .pty(let path?)): return try connectTerminal(path)
      case (.controller, .user(let adapter)): return try connectUserChannel(adapter)
      case (.host, .user), (.controller, .vhci), (.controller, .pty(nil)), (.linkLayer, _):
        preconditionFailure("not validated")
      }
    } catch {
      return loop.makeFailedFuture(error)
    }
  }

  // MARK: Hosts come

  /// Who comes here.
  fileprivate var guest: String { configuration.partner == .linkLayer ? "a program" : "a host" }

  private func listening() -> ServerBootstrap {
    let bound = NIOLoopBound(self, eventLoop: owner.eventLoop)
    let taking = owner.settings.clock == .lockstep ? H4Connection.Taking.hello : .active
    return ServerBootstrap(group: owner.eventLoop)
      .serverChannelOption(.backlog, value: 1_024)
      .childChannelOption(.writeBufferWaterMark, value: waterMark)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(
            H4Connection(port: bound.value, partner: bound.value.guest, taking: taking))
        }
      }
  }

  private func listen(host: String, port: Int) -> EventLoopFuture<Void> {
    let address = configuration.address
    return listening().serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .bind(host: host, port: port).assumeIsolated()
      .map { [self] channel in
        place.address = .tcp(host: host, port: channel.localAddress?.port ?? port)
        isServing(channel, address.isLoopback ? "this machine only" : "REACHABLE FROM OTHER MACHINES")
      }
      .flatMapErrorThrowing { throw PortError.serving(address, $0) }.nonisolated()
  }

  private func listen(path: String) throws(PortError) -> EventLoopFuture<Void> {
    let address = configuration.address
    try SocketFile.makeRoom(at: path, for: address)
    return listening().bind(unixDomainSocketPath: path).assumeIsolated()
      .map { [self] channel in
        let file = SocketFile.identity(of: path)
        closers.append { if SocketFile.identity(of: path) == file { unlink(path) } }
        isServing(channel, "this machine only")
      }
      .flatMapErrorThrowing { throw PortError.serving(address, $0) }.nonisolated()
  }

  private func isServing(_ channel: any Channel, _ reach: String) {
    closers.append { channel.close(promise: nil) }
    try? channel.pipeline.syncOperations.addHandler(ListenerWatch(port: self))
    report.address = configuration.text(of: place.address)
    line("serving \(guest) at \(report.address), \(reach)")
  }

  // MARK: We go

  private func connecting() -> ClientBootstrap {
    let connection = NIOLoopBound(makeControllerConnection(.stream), eventLoop: owner.eventLoop)
    let bootstrap = ClientBootstrap(group: owner.eventLoop).connectTimeout(.seconds(5))
      .channelOption(.writeBufferWaterMark, value: waterMark)
      .channelOption(.autoRead, value: false)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(connection.value) }
      }
    guard case .tcp = configuration.address else { return bootstrap }
    return bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1)
  }

  /// The connection to a controller takes its seat when all ports are open, with `takeController`.
  func makeControllerConnection(_ carriage: H4Connection.Carriage) -> H4Connection {
    let connection = H4Connection(
      port: self, partner: "the controller at \(configuration.address)", carriage: carriage, taking: .later)
    controller = connection
    return connection
  }

  func connected(_ channel: EventLoopFuture<any Channel>) -> EventLoopFuture<Void> {
    let address = configuration.address
    return channel.flatMapErrorThrowing { throw PortError.connecting(address, $0) }.map { _ in }
  }

  // MARK: Devices

  /// A channel over a descriptor, which it owns from now on.
  func adopt(_ descriptor: CInt, _ connection: H4Connection, readsAtOnce: Bool) -> EventLoopFuture<any Channel> {
    let bound = NIOLoopBound(connection, eventLoop: owner.eventLoop)
    return NIOPipeBootstrap(group: owner.eventLoop)
      .channelOption(.writeBufferWaterMark, value: waterMark)
      .channelOption(.autoRead, value: readsAtOnce)
      // One read takes one packet of a packet device, so it must have room for the longest.
      .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_544))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
      }
      .takingOwnershipOfDescriptor(inputOutput: descriptor)
      .flatMapErrorThrowing { error in
        Descriptor.shut(descriptor)
        throw error
      }
  }

  /// More waiting octets than this, and a channel is not writable: then its partner does not read.
  var waterMark: ChannelOptions.Types.WriteBufferWaterMark {
    ChannelOptions.Types.WriteBufferWaterMark(low: owner.settings.waitingOctets, high: owner.settings.waitingOctets)
  }
}

/// Says when a listener fails; it goes on listening (no descriptors left, a connection gone before it was taken).
private final class ListenerWatch: ChannelInboundHandler {
  typealias InboundIn = any Channel
  private let port: Port

  init(port: Port) { self.port = port }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    port.line("a host could not be let in: \(PortError.reason(error))")
  }
}

/// The file of a Unix socket.
enum SocketFile {
  struct Identity: Hashable {
    var device: UInt64
    var node: UInt64
  }

  static func identity(of path: String) -> Identity? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return Identity(device: UInt64(truncatingIfNeeded: status.st_dev), node: UInt64(status.st_ino))
  }

  /// Removes a socket that is no longer served; refuses when it is served, or when the file is something else.
  static func makeRoom(at path: String, for address: PortAddress) throws(PortError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw PortError("\(address): a file that is no socket is there; remove it or take another path")
    }
    if isServed(path) { throw PortError("\(address): another program serves there already") }
    guard unlink(path) == 0 else {
      throw PortError("\(address): a stale socket is there and cannot be removed: \(PortError.reason(code: errno))")
    }
  }

  private static func isServed(_ path: String) -> Bool {
    let probe = socket(AF_UNIX, ControlSocket.streamKind, 0)
    guard probe >= 0 else { return false }
    defer { close(probe) }
    // A full backlog answers EAGAIN: the socket is served.
    _ = fcntl(probe, F_SETFL, O_NONBLOCK)
    return ControlSocket.connect(probe, path: path) == 0 || errno == EAGAIN
  }
}
