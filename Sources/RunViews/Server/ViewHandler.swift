import Foundation
import NIOCore
import NIOHTTP1

/// Answers the requests of one connection.
final class ViewHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// Octets of a page that is read for its script; the script of a larger one may not run.
  private static let pageOctets = 64 << 20
  /// A connection on which nothing is asked for so long is closed.
  private static let patience = TimeAmount.seconds(60)

  private let folder: ServedFolder
  private let name: String
  private let port: Int
  private let open: OpenConnections
  /// The room that lives beside the folder; nil: there is none.
  private let board: RoomBoard?
  private var head: HTTPRequestHead?
  /// Closes a connection on which nothing has been asked for a while.
  private var idle: Scheduled<Void>?

  /// - Parameter name: what people call the folder.
  init(folder: ServedFolder, name: String, port: Int, among open: OpenConnections, board: RoomBoard? = nil) {
    self.board = board
    self.folder = folder
    self.name = name
    self.port = port
    self.open = open
  }

  func handlerAdded(context: ChannelHandlerContext) { rest(context) }

  func channelInactive(context: ChannelHandlerContext) {
    idle?.cancel()
    context.fireChannelInactive()
  }

  private func rest(_ context: ChannelHandlerContext) {
    idle?.cancel()
    let channel = context.channel
    open.rests(channel)
    idle = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head else { return }
      self.head = nil
      idle?.cancel()
      open.works(context.channel)
      answer(head, context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let hosts = head.headers["host"]
    let request = ViewRequest(
      method: head.method.rawValue, target: head.uri, host: hosts.count == 1 ? hosts[0] : nil, port: port)
    do {
      switch request {
      case .index where board != nil, .room: try sendRoom(head, context)
      case .roomScript where board != nil:
        send(RoomPage.script, "text/javascript; charset=utf-8", PagePolicy.plain, head, context)
      case .roomState(let since) where board != nil:
        send(board?.octets(since: since) ?? [], "application/json", PagePolicy.plain, head, context)
      case .roomScript, .roomState: refuse(404, "nothing is here", head, context)
      case .index:
        let now = Int64(Date().timeIntervalSince1970 * 1_000_000_000)
        let page = try IndexPage.octets(RunIndex(folder), folder: name, now: now)
        send(page, "text/html; charset=utf-8", PagePolicy.plain, head, context)
      case .script: send(FollowPage.script, "text/javascript; charset=utf-8", PagePolicy.plain, head, context)
      case .follow(let names):
        guard folder.file(names) != nil else { return refuse(404, "nothing is here", head, context) }
        let path = names.map(Self.encoded).joined(separator: "/")
        let title = names.dropLast().joined(separator: "/")
        let page = try FollowPage.octets(page: "/files/\(path)", title: title.isEmpty ? name : title)
        send(page, "text/html; charset=utf-8", FollowPage.policy, head, context)
      case .file(let names):
        guard let file = folder.file(names), let last = names.last else {
          return refuse(404, "nothing is here", head, context)
        }
        send(file, last, head, context)
      case .refused(let status, let reason): refuse(status, reason, head, context)
      }
    } catch {
      refuse(500, "the page cannot be made", head, context)
    }
  }

  private func sendRoom(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) throws {
    guard let board else { return refuse(404, "nothing is here", head, context) }
    let hasTimeline = folder.file(["timeline.html"]) != nil
    let page = try RoomPage.octets(title: board.title, timeline: hasTimeline ? "/-/follow/timeline.html" : "")
    send(page, "text/html; charset=utf-8", FollowPage.policy, head, context)
  }

  private static func encoded(_ name: String) -> String {
    name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._"))) ?? ""
  }

  private func refuse(_ status: Int, _ reason: String, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var headers = HTTPHeaders()
    if status == 405 { headers.add(name: "Allow", value: "GET, HEAD") }
    send(
      Array("\(reason)\n".utf8), "text/plain; charset=utf-8", PagePolicy.plain, head, context, status: status,
      headers: headers)
  }

  private func send(
    _ octets: [UInt8], _ type: String, _ policy: String, _ head: HTTPRequestHead, _ context: ChannelHandlerContext,
    status: Int = 200, headers: HTTPHeaders = HTTPHeaders()
  ) {
    var headers = headers
    headers.add(name: "Content-Type", value: type)
    headers.add(name: "Content-Length", value: "\(octets.count)")
    headers.add(name: "Content-Security-Policy", value: policy)
    begin(HTTPResponseStatus(statusCode: status), headers, head, context)
    if head.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: octets)))), promise: nil)
    }
    end(head, context)
  }

  private func send(
    _ file: ServedFolder.OpenFile, _ name: String, _ head: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    var headers = HTTPHeaders([("ETag", file.tag), ("Accept-Ranges", "bytes")])
    let type = ContentType(name)
    let isPage = type.value.hasPrefix("text/html")
    let policy = isPage ? file.octets(limit: Self.pageOctets).map(PagePolicy.page) : nil
    headers.add(name: "Content-Security-Policy", value: policy ?? PagePolicy.plain)
    if head.headers[canonicalForm: "if-none-match"].contains(where: { $0 == file.tag }) {
      begin(.notModified, headers, head, context)
      return end(head, context)
    }
    headers.add(name: "Content-Type", value: type.value)
    if type.isDownload {
      headers.add(name: "Content-Disposition", value: "attachment; filename*=UTF-8''\(Self.encoded(name))")
    }
    var part = 0..<file.size
    var status = HTTPResponseStatus.ok
    switch range(head, file) {
    case .whole: break
    case .part(let range):
      (part, status) = (range, .partialContent)
      headers.add(name: "Content-Range", value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)")
    case .notThere:
      (part, status) = (0..<0, .rangeNotSatisfiable)
      headers.add(name: "Content-Range", value: "bytes */\(file.size)")
    }
    headers.add(name: "Content-Length", value: "\(part.count)")
    begin(status, headers, head, context)
    if head.method != .HEAD, !part.isEmpty {
      let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.release())
      let region = FileRegion(fileHandle: handle, readerIndex: part.lowerBound, endIndex: part.upperBound)
      context.writeAndFlush(wrapOutboundOut(.body(.fileRegion(region)))).whenComplete { _ in try? handle.close() }
    }
    end(head, context)
  }

  /// A part is asked for only of the file that the asker knows, where it says which.
  private func range(_ head: HTTPRequestHead, _ file: ServedFolder.OpenFile) -> ByteRange {
    let (ranges, conditions) = (head.headers["range"], head.headers["if-range"])
    guard ranges.count == 1, conditions.allSatisfy({ $0 == file.tag }) else { return .whole }
    return ByteRange(ranges[0], size: file.size)
  }

  private func begin(
    _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ head: HTTPRequestHead, _ context: ChannelHandlerContext
  ) {
    var headers = headers
    headers.add(name: "X-Content-Type-Options", value: "nosniff")
    headers.add(name: "Referrer-Policy", value: "no-referrer")
    headers.add(name: "Cross-Origin-Resource-Policy", value: "same-origin")
    headers.add(name: "Cache-Control", value: "no-cache")
    headers.add(name: "Connection", value: head.isKeepAlive ? "keep-alive" : "close")
    context.write(
      wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
  }

  private func end(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let isKept = head.isKeepAlive
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      let (handler, context) = bound.value
      if isKept, context.channel.isActive { handler.rest(context) } else { context.close(promise: nil) }
    }
  }
}
