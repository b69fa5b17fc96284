import NIOCore
import NIOPosix
public import SimKernel

/// Where orders for a live run come in: lines of text, and a line of text for each answer.
public struct LiveControl {
  /// Takes the answer to an order, without a line feed; once, on the thread of the run.
  public typealias Answer = (String) -> Void

  public var address: ControlAddress
  /// What a line asks for, done, and then answered: at once, or when it has come about. Called on the run's thread.
  public var obey: (String, LiveHandle, @escaping Answer) -> Void

  public init(address: ControlAddress, obey: @escaping (String, LiveHandle, @escaping Answer) -> Void) {
    self.address = address
    self.obey = obey
  }
}

/// What orders may do with the passing of time, and with the run.
public struct LiveHandle {
  unowned let core: LiveCore
  private let channel: (any Channel)?

  init(core: LiveCore, channel: (any Channel)? = nil) {
    self.core = core
    self.channel = channel
  }

  /// Whoever gave the order, as one who listens: after its answer it gets octets. Nil where nobody is connected.
  public func listener() -> LiveListener? { channel.map { LiveListener($0) } }

  public var status: LiveStatus { core.status }
  /// Virtual seconds for a second of the wall clock; 0: time stands.
  public var rate: Double { core.rate }
  public func set(rate: Double) { core.set(rate: rate) }
  /// The world goes on by a span at once, and then stands. For a run whose time stands.
  public func step(by span: SimDuration) { core.step(by: span) }
  /// Ends the run once the answer has been sent.
  public func stop() { core.stopSoon() }
  /// What makes time pass.
  public var clock: LiveClock { core.settings.clock }
  /// Opens a port for a device that has none: where it is, or why it is not. Nothing has entered the world by then.
  public func open(_ port: PortConfiguration, _ done: @escaping (Result<OpenPort, PortError>) -> Void) {
    core.openPort(port, done)
  }
  /// Closes the port of a device, if it has one; the world hears nothing of that.
  public func closePort(of device: Int) { core.closePort(of: device) }
  /// Where the port of a device is; nil: it has none.
  public func place(of device: Int) -> OpenPort? { core.place(of: device).map { core.ports[$0].place } }
  /// Does something to the world, between its events, at the instant that it is by the clock; in lockstep at the one at
  /// which time stands.
  public func change(_ body: () -> String) -> String { core.change(body) }
}

extension LiveCore {
  func openControl() -> EventLoopFuture<Void> {
    guard let control else { return eventLoop.makeSucceededVoidFuture() }
    let bound = NIOLoopBound((core: self, obey: control.obey), eventLoop: eventLoop)
    let bootstrap = ServerBootstrap(group: eventLoop).childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(
        .writeBufferWaterMark,
        value: .init(low: LiveListener.waitingOctets / 2, high: LiveListener.waitingOctets)
      )
      .childChannelInitializer { channel in
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
  /// Lines that wait for the answer to the one before.
  private static let waitingLimit = 1_024

  private let core: LiveCore
  private let obey: (String, LiveHandle, @escaping LiveControl.Answer) -> Void
  private var line: [UInt8] = []
  private var waiting: [String] = []
  private var isAnswering = false
  private var isDraining = false
  private var hasSaidAll = false

  init(_ core: LiveCore, _ obey: @escaping (String, LiveHandle, @escaping LiveControl.Answer) -> Void) {
    self.core = core
    self.obey = obey
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    for octet in unwrapInboundIn(data).readableBytesView {
      if octet == 0x0A {
        take(context)
      } else if line.count < Self.lineLimit {
        line.append(octet)
      } else {
        say("error: a line has more than \(Self.lineLimit) octets", context)
        return context.close(promise: nil)
      }
    }
  }

  private func take(_ context: ChannelHandlerContext) {
    if line.last == 0x0D { line.removeLast() }
    waiting.append(String(decoding: line, as: UTF8.self))
    line.removeAll(keepingCapacity: true)
    if waiting.count > Self.waitingLimit {
      say("error: more than \(Self.waitingLimit) orders wait", context)
      return context.close(promise: nil)
    }
    answer(context)
  }

  /// One after the other; an answer that comes later goes on by itself.
  private func answer(_ context: ChannelHandlerContext) {
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    while !isAnswering, !waiting.isEmpty, !core.isOver {
      isAnswering = true
      obey(waiting.removeFirst(), LiveHandle(core: core, channel: context.channel)) { [self] text in
        isAnswering = false
        guard context.channel.isActive else { return }
        say(text, context)
        answer(context)
      }
    }
    if hasSaidAll, !isAnswering, waiting.isEmpty { context.close(promise: nil) }
  }

  /// Whoever has said all that it wants still gets its answers.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed {
      hasSaidAll = true
      answer(context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  private func say(_ answer: String, _ context: ChannelHandlerContext) {
    let whole = answer.split(separator: "\n").joined(separator: "; ") + "\n"
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: whole)), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
