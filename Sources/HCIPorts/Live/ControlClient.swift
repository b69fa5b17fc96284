import NIOCore
import NIOPosix

/// Who gives an order to a run that takes them.
public enum ControlClient {
  /// Octets of an answer.
  private static let answerLimit = 1 << 16

  /// Says one line, and waits for the line of the answer.
  /// - Throws: nobody listens there, or the run has ended before its answer.
  public static func ask(_ line: String, at address: ControlAddress) throws(PortError) -> String {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    let answer = group.next().makePromise(of: String.self)
    do {
      let bootstrap = ClientBootstrap(group: group).channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AnswerHandler(answer))
        }
      }
      let channel =
        switch address.address {
        case .unix(let path): try bootstrap.connect(unixDomainSocketPath: path).wait()
        case .tcp(let host, let port): try bootstrap.connect(host: host, port: port).wait()
        case .pty, .vhci, .user: preconditionFailure("not an address for orders")
        }
      try channel.writeAndFlush(ByteBuffer(string: line.split(separator: "\n").joined(separator: " ") + "\n")).wait()
      defer { channel.close(promise: nil) }
      return try answer.futureResult.wait()
    } catch {
      answer.fail(error)
      if let error = error as? PortError { throw error }
      throw PortError("no session takes orders at \(address): \(PortError.reason(error))")
    }
  }

  private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let answer: EventLoopPromise<String>
    private var octets: [UInt8] = []

    init(_ answer: EventLoopPromise<String>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      octets += unwrapInboundIn(data).readableBytesView
      guard let end = octets.firstIndex(of: 0x0A) ?? (octets.count > answerLimit ? octets.endIndex : nil) else {
        return
      }
      answer.succeed(String(decoding: octets[..<end], as: UTF8.self))
    }

    func channelInactive(context: ChannelHandlerContext) {
      answer.fail(PortError("the session has ended before its answer"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      answer.fail(error)
      context.close(promise: nil)
    }
  }
}
