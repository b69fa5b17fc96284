import Expectations
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@testable import RunViews

@Suite("The server of view", .serialized)
struct ViewServerTests {
  static func get(
    _ address: String, method: String = "GET", headers: [String: String] = [:]
  ) async throws -> (status: Int, headers: [String: String], body: Data) {
    var request = URLRequest(url: try required(URL(string: address)))
    request.httpMethod = method
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { request.setValue(value, forHTTPHeaderField: name) }
    let session = URLSession(configuration: .ephemeral)
    let (body, response) = try await session.data(for: request)
    let answer = try required(response as? HTTPURLResponse)
    let known = ["Content-Type", "ETag", "Content-Disposition", "Content-Security-Policy", "X-Content-Type-Options"]
    let found = known.compactMap { name in answer.value(forHTTPHeaderField: name).map { (name, $0) } }
    return (answer.statusCode, Dictionary(uniqueKeysWithValues: found), body)
  }

  @Test("Pages, captures and what has not changed, on both addresses of loopback; nothing once it is stopped")
  func answers() async throws {
    let path = NSTemporaryDirectory() + "/babbench-view-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let capture = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try capture.write(to: URL(fileURLWithPath: path + "/air.pcapng"))
    try Data("<!DOCTYPE html>".utf8).write(to: URL(fileURLWithPath: path + "/timeline.html"))
    let server = try ViewServer(path: path, port: 0)
    let address = "http://127.0.0.1:\(server.port)"
    let page = try await Self.get(address + "/files/timeline.html")
    equal(page.status, 200)
    equal(page.headers["Content-Type"], "text/html; charset=utf-8")
    equal(page.headers["Content-Security-Policy"]?.contains("default-src 'none'"), true)
    equal(page.headers["X-Content-Type-Options"], "nosniff")
    let tag = try required(page.headers["ETag"])
    let again = try await Self.get(address + "/files/timeline.html", headers: ["If-None-Match": tag])
    equal(again.status, 304)
    let file = try await Self.get(address + "/files/air.pcapng")
    equal(file.body, capture)
    equal(file.headers["Content-Type"], "application/vnd.tcpdump.pcap")
    equal(file.headers["Content-Disposition"]?.hasPrefix("attachment"), true)
    let part = try await Self.get(address + "/files/air.pcapng", headers: ["Range": "bytes=1000-1999"])
    expect(part.status == 206 && part.body == capture[1000..<2000])
    let fileTag = try required(file.headers["ETag"])
    let known = ["Range": "bytes=-5", "If-Range": fileTag]
    try await equal(Self.get(address + "/files/air.pcapng", headers: known).body, capture.suffix(5))
    let changed = ["Range": "bytes=-5", "If-Range": tag]
    try await equal(Self.get(address + "/files/air.pcapng", headers: changed).status, 200)
    try await equal(Self.get(address + "/files/air.pcapng", headers: ["Range": "bytes=300000-"]).status, 416)
    let head = try await Self.get(address + "/files/air.pcapng", method: "HEAD")
    expect(head.status == 200 && head.body.isEmpty)
    try await equal(Self.get(address + "/").status, 200)
    try await equal(Self.get(address + "/-/follow/timeline.html").status, 200)
    try await equal(Self.get(address + "/-/follow.js").status, 200)
    try await equal(Self.get(address + "/files/none.html").status, 404)
    try await equal(Self.get(address + "/", method: "POST").status, 405)
    let taken = server.port
    let refused = #expect(throws: ViewServer.NotListening.self) { try ViewServer(path: path, port: taken) }
    equal(
      refused?.description,
      "port \(taken) of 127.0.0.1 cannot be listened on: "
        + "another program listens there already; leave --port out to take a free one")
    #expect(throws: ViewServer.Refusal.self) { try ViewServer(path: path + "/none", port: 0) }
    server.stop()
    await #expect(throws: (any Error).self) { try await Self.get(address + "/") }
  }

  @Test("Who opens connections and asks for nothing keeps nobody else out, and does not keep them")
  func idleConnections() async throws {
    let path = NSTemporaryDirectory() + "/babbench-view-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let server = try ViewServer(path: path, port: 0)
    defer { server.stop() }
    let sockets = (0..<100).map { _ in Self.connection(server.port) }
    defer { for socket in sockets { close(socket) } }
    #expect(try await Self.get("http://127.0.0.1:\(server.port)/").status == 200)
    // The oldest were closed for the newer ones.
    let closed = sockets.count { socket in
      var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      return poll(&event, 1, 2_000 / 100) == 1
    }
    expect(closed >= sockets.count - OpenConnections.idleLimit, "\(closed) closed")
  }

  private static func connection(_ port: Int) -> Int32 {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return descriptor
  }
}
