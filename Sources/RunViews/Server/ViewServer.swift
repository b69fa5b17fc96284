import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Shows the files of a folder to browsers of this machine: `babbench view`.
///
/// It listens on loopback only, reads only, and answers only to the names of loopback. A folder that grows is shown as
/// it is at each request.
package final class ViewServer {
  /// What is wrong with its folder: a line for people.
  package struct Refusal: Error, CustomStringConvertible {
    package var description: String
  }

  /// Why it cannot listen: a line for people.
  package struct NotListening: Error, CustomStringConvertible {
    package var description: String
  }

  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let channels: [any Channel]
  /// Where it listens; the same on every address.
  package let port: Int

  /// Listens at once.
  /// - Parameters:
  ///   - path: the folder.
  ///   - port: 0 takes a free one.
  package convenience init(path: String, port: Int) throws {
    let folder = ServedFolder(path)
    guard folder.isThere else { throw Refusal(description: "\(path): there is no such folder") }
    try self.init(folder: folder, path: path, port: port, board: nil)
  }

  /// Shows a room that lives, and the files that it writes.
  /// - Parameter path: of its folder; nil: it writes none.
  package convenience init(room board: RoomBoard, path: String?, port: Int) throws {
    // No folder has an empty path.
    try self.init(folder: ServedFolder(path ?? ""), path: path ?? "", port: port, board: board)
  }

  private init(folder: ServedFolder, path: String, port: Int, board: RoomBoard?) throws {
    do {
      let open = OpenConnections()
      let first = try Self.listen("127.0.0.1", port, folder, path, open, board, group)
      let taken = first.localAddress?.port ?? port
      // A machine without IPv6 has one address less.
      let second = try? Self.listen("::1", taken, folder, path, open, board, group)
      channels = [first] + (second.map { [$0] } ?? [])
      self.port = taken
    } catch {
      try? group.syncShutdownGracefully()
      throw NotListening(description: "port \(port) of 127.0.0.1 cannot be listened on: \(Self.reason(error))")
    }
  }

  private static func reason(_ error: any Error) -> String {
    guard let code = (error as? IOError)?.errnoCode else { return "the system does not say why" }
    return switch code {
    case EADDRINUSE: "another program listens there already; leave --port out to take a free one"
    case EACCES, EPERM: "no permission; take a port from 1024 on"
    default: String(cString: strerror(code))
    }
  }

  /// Closes everything; once.
  package func stop() {
    for channel in channels { try? channel.close().wait() }
    try? group.syncShutdownGracefully()
  }

  private static func listen(
    _ host: String, _ port: Int, _ folder: ServedFolder, _ name: String, _ open: OpenConnections,
    _ board: RoomBoard?, _ group: MultiThreadedEventLoopGroup
  ) throws -> any Channel {
    try ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        guard open.enter(channel) else { return channel.close() }
        channel.closeFuture.whenComplete { _ in open.leave(channel) }
        return channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: true, withErrorHandling: true)
          let port = channel.localAddress?.port ?? port
          try pipeline.addHandler(ViewHandler(folder: folder, name: name, port: port, among: open, board: board))
        }
      }
      .bind(host: host, port: port).wait()
  }
}
