import Foundation
import NIOCore
import NIOHTTP1

/// Answers the requests of one connection.
final class ViewHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// What a page may do: run its own scripts, and nothing beyond itself.
  private static let policy =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    + "form-action 'none'; frame-ancestors 'self'"

  private let folder: ServedFolder
  private let name: String
  private let port: Int
  private var head: HTTPRequestHead?
  /// Closes a connection on which nothing has been asked for a while.
  private var idle: Scheduled<Void>?

  /// - Parameter name: what people call the folder.
  init(folder: ServedFolder, name: String, port: Int) {
    self.folder = folder
    self.name = name
    self.port = port
  }

  func handlerAdded(context: ChannelHandlerContext) { rest(context) }

  func channelInactive(context: ChannelHandlerContext) {
    idle?.cancel()
    context.fireChannelInactive()
  }

  private func rest(_ context: ChannelHandlerContext) {
    idle?.cancel()
    let channel = context.channel
    idle = context.eventLoop.scheduleTask(in: .seconds(60)) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head else { return }
      self.head = nil
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
      case .index:
        let now = Int64(Date().timeIntervalSince1970 * 1_000_000_000)
        let page = try IndexPage.octets(RunIndex(folder), folder: name, now: now)
        send(page, "text/html; charset=utf-8", Self.policy, head, context)
      case .script: send(FollowPage.script, "text/javascript; charset=utf-8", Self.policy, head, context)
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

  private static func encoded(_ name: String) -> String {
    name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(CharacterSet(charactersIn: "-._"))) ?? ""
  }

  private func refuse(_ status: Int, _ reason: String, _ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var headers = HTTPHeaders()
    if status == 405 { headers.add(name: "Allow", value: "GET, HEAD") }
    send(
      Array("\(reason)\n".utf8), "text/plain; charset=utf-8", Self.policy, head, context, status: status,
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
    var headers = HTTPHeaders([("ETag", file.tag), ("Content-Security-Policy", Self.policy)])
    if head.headers[canonicalForm: "if-none-match"].contains(where: { $0 == file.tag }) {
      begin(.notModified, headers, head, context)
      return end(head, context)
    }
    let type = ContentType(name)
    headers.add(name: "Content-Type", value: type.value)
    headers.add(name: "Content-Length", value: "\(file.size)")
    if type.isDownload {
      headers.add(name: "Content-Disposition", value: "attachment; filename*=UTF-8''\(Self.encoded(name))")
    }
    begin(.ok, headers, head, context)
    let size = file.size
    if head.method != .HEAD, size > 0 {
      let handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.release())
      let region = FileRegion(fileHandle: handle, readerIndex: 0, endIndex: size)
      context.writeAndFlush(wrapOutboundOut(.body(.fileRegion(region)))).whenComplete { _ in try? handle.close() }
    }
    end(head, context)
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
    let channel = context.channel
    let isKept = head.isKeepAlive
    rest(context)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in if !isKept { channel.close(promise: nil) } }
  }
}
