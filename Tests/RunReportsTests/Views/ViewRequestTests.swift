import Expectations
import Testing

@testable import RunViews

@Suite("What a request to view asks for")
struct ViewRequestTests {
  private func request(_ target: String, method: String = "GET", host: String? = "127.0.0.1:8000") -> ViewRequest {
    ViewRequest(method: method, target: target, host: host, port: 8000)
  }

  @Test("Paths are names, one after the other")
  func paths() {
    equal(request("/"), .index)
    equal(request("/?x=1"), .index)
    equal(request("/-/follow.js"), .script)
    equal(request("/files/a/timeline.html"), .file(["a", "timeline.html"]))
    equal(request("/files/a%20b/%C3%A4.pcapng"), .file(["a b", "ä.pcapng"]))
    equal(request("/-/follow/seed-1/timeline.html"), .follow(["seed-1", "timeline.html"]))
    equal(request("/files/a", method: "HEAD"), .file(["a"]))
  }

  @Test(
    "No path leads out of the folder",
    arguments: [
      "/files/../secret", "/files/%2e%2e/secret", "/files/..%2fsecret", "/files/a/../../b", "/files//a", "/files/a/",
      "/files/.hidden", "/files/a%00b", "/files/a%2fb", "/files/a.partial", "files/a", "", "*", "http://a/files/b",
      "/files/%", "/files/%zz", "/files/%ff", "/files/a%0d%0ab", "/-/follow/../timeline.html", "/..", "//",
    ])
  func traversal(target: String) {
    guard case .refused(let status, _) = request(target) else {
      return expect(false, "\(target) is \(request(target))")
    }
    expect(status == 400 || status == 404)
  }

  @Test("Only the names of loopback are answered to", arguments: ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"])
  func hosts(host: String) {
    equal(request("/", host: host), .index)
  }

  @Test(
    "A name that somebody else gave this machine is refused",
    arguments: [
      nil, "", "evil.example:8000", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:8000", "127.0.0.1:8000.evil",
      "127.0.0.2:8000", "user@127.0.0.1:8000",
    ])
  func strangers(host: String?) {
    guard case .refused(421, _) = request("/", host: host) else {
      return expect(false, "\(host ?? "nothing") is answered")
    }
  }

  @Test("Nothing is changed", arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"])
  func methods(method: String) {
    guard case .refused(405, _) = request("/", method: method) else { return expect(false, "\(method) is answered") }
  }
}
