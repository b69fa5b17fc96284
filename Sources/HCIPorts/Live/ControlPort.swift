import NIOCore
import NIOPosix
public import SimKernel

/// Where orders for a live run come in: lines of text, and a line of text for each answer.
public struct LiveControl {
  public var address: ControlAddress
  /// What a line asks for, done; the answer, without a line feed. Called on the thread of the run.
  public var obey: (String, LiveHandle) -> String

  public init(address: ControlAddress, obey: @escaping (String, LiveHandle) -> String) {
    self.address = address
    self.obey = obey
  }
}

/// What orders may do with the passing of time, and with the run.
public struct LiveHandle {
  unowned let core: LiveCore

  public var status: LiveStatus { core.status }
  /// Virtual seconds for a second of the wall clock; 0: time stands.
  public var rate: Double { core.rate }
  public func set(rate: Double) { core.set(rate: rate) }
  /// The world goes on by a span at once, and then stands. For a run whose time stands.
  public func step(by span: SimDuration) { core.step(by: span) }
  /// Ends the run once the answer has been sent.
  public func stop() { core.stopSoon() }
  /// Does something to the world, between its events, at the instant that it is by the clock.
  public func change(_ body: () -> String) -> String { core.change(body) }
}

extension LiveCore {
  func openControl() -> EventLoopFuture<Void> {
    guard let control else { return eventLoop.makeSucceededVoidFuture() }
    let bound = NIOLoopBound((core: self, obey: control.obey), eventLoop: eventLoop)
    let bootstrap = ServerBootstrap(group: eventLoop).childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(OrderHandler(bound.value.core, bound.value.obey))
      }
    }
    switch control.address.address {
    case .tcp(let host, let port):
      return bootstrap.serverChannelOption(.socketOption(.so_reuseaddr), value: 1).bind(host: host, port: port)
        .assumeIsolated()
        .map { [self] channel in
          closeControl = { channel.close(promise: nil) }
          isServing("tcp:\(host):\(channel.localAddress?.port ?? port)", control.address.address.isLoopback)
        }
        .flatMapErrorThrowing { throw PortError.serving(control.address.address, $0) }.nonisolated()
    case .unix(let path):
      do throws(PortError) { try SocketFile.makeRoom(at: path, for: control.address.address) } catch {
        return eventLoop.makeFailedFuture(error)
      }
      return bootstrap.bind(unixDomainSocketPath: path).assumeIsolated()
        .map { [self] channel in
          let file = SocketFile.identity(of: path)
          closeControl = {
            channel.close(promise: nil)
            if SocketFile.identity(of: path) == file { unlink(path) }
          }
          isServing("unix:\(path)", true)
        }
        .flatMapErrorThrowing { throw PortError.serving(control.address.address, $0) }.nonisolated()
    case .pty, .vhci, .user: preconditionFailure("not an address for orders")
    }
  }

  private func isServing(_ address: String, _ isLoopback: Bool) {
    tell("orders at \(address): babbench hci tell \(address) help")
    if !isLoopback { tell("warning: \(address) can be reached from other machines, and orders need no password") }
  }

  /// After the answer that is being written.
  func stopSoon() { eventLoop.assumeIsolated().execute { [self] in finish(.stopped) } }
}

/// One who gives orders: each line is obeyed and answered before the next.
private final class OrderHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer
  /// Octets of one line.
  private static let lineLimit = 4_096

  private let core: LiveCore
  private let obey: (String, LiveHandle) -> String
  private var line: [UInt8] = []

  init(_ core: LiveCore, _ obey: @escaping (String, LiveHandle) -> String) {
    self.core = core
    self.obey = obey
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    for octet in unwrapInboundIn(data).readableBytesView {
      if octet == 0x0A {
        answer(context)
      } else if line.count < Self.lineLimit {
        line.append(octet)
      } else {
        say("error: a line has more than \(Self.lineLimit) octets", context)
        return context.close(promise: nil)
      }
    }
  }

  private func answer(_ context: ChannelHandlerContext) {
    if line.last == 0x0D { line.removeLast() }
    let text = String(decoding: line, as: UTF8.self)
    line.removeAll(keepingCapacity: true)
    if core.isOver { return }
    say(obey(text, LiveHandle(core: core)), context)
  }

  private func say(_ answer: String, _ context: ChannelHandlerContext) {
    let whole = answer.split(separator: "\n").joined(separator: "; ") + "\n"
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: whole)), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
