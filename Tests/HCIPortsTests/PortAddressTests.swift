import Expectations
import Testing

@testable import HCIPorts

@Suite("Addresses of ports")
struct PortAddressTests {
  @Test(
    "What is read is printed again",
    arguments: [
      ("h4:tcp:9000", PortAddress.tcp(host: "127.0.0.1", port: 9_000)), ("h4:tcp:0", .tcp(host: "127.0.0.1", port: 0)),
      ("h4:tcp:localhost:1", .tcp(host: "localhost", port: 1)), ("h4:tcp:[::1]:9000", .tcp(host: "::1", port: 9_000)),
      ("h4:tcp:[fe80::1%eth0]:65535", .tcp(host: "fe80::1%eth0", port: 65_535)),
      ("h4:tcp:0.0.0.0:80", .tcp(host: "0.0.0.0", port: 80)), ("h4:unix:/tmp/hci:0", .unix(path: "/tmp/hci:0")),
      ("h4:pty", .pty(path: nil)), ("h4:pty:/tmp/tty", .pty(path: "/tmp/tty")), ("vhci", .vhci),
      ("user:hci0", .user(adapter: 0)), ("user:hci12", .user(adapter: 12)),
    ])
  func reading(text: String, address: PortAddress) throws {
    try equal(PortAddress(parsing: text), address)
    equal(address.description, text)
  }

  @Test("The loopback address may be written out")
  func loopbackWrittenOut() throws {
    try equal(PortAddress(parsing: "h4:tcp:127.0.0.1:9000").description, "h4:tcp:9000")
  }

  @Test(
    "Wrong text is refused with what to write instead",
    arguments: [
      ("", "h4:tcp:PORT"), ("tcp:9000", "h4:tcp:PORT"), ("h4:serial:/dev/ttyS0", "h4:pty:PATH"),
      ("h4:tcp:", "h4:tcp:9000"), ("h4:tcp:-1", "h4:tcp:9000"), ("h4:tcp:70000", "65535"), ("h4:tcp:９", "h4:tcp:9000"),
      ("h4:tcp:host", "h4:tcp:9000"), ("h4:tcp:host:", "h4:tcp:9000"), ("h4:tcp::9000", "a host is missing"),
      ("h4:tcp:::1:9000", "h4:tcp:[::1]:9000"), ("h4:tcp:[::1:9000", "h4:tcp:[::1]:9000"),
      ("h4:tcp:[x]:9000", "h4:tcp:[::1]:9000"), ("h4:tcp:[]:9000", "h4:tcp:[::1]:9000"),
      ("h4:tcp:a b:9000", "a host is missing"), ("h4:unix:", "h4:unix:/tmp/hci"),
      ("h4:unix:/" + String(repeating: "x", count: 103), "103 octets"), ("h4:pty:", "h4:pty for a new one"),
      ("user:", "user:hci0"), ("user:hci", "user:hci0"), ("user:hci65535", "user:hci0"), ("user:hci1x", "user:hci0"),
      ("vhci:0", "vhci"), ("h4:tcp:99999999999999999999", "65535"),
    ])
  func refusing(text: String, hint: String) {
    do {
      let address = try PortAddress(parsing: text)
      Issue.record("\(text) is read as \(address)")
    } catch {
      expect(error.description.contains(hint), "\(error)")
      expect(!error.description.contains("\n"))
    }
  }

  @Test("Only TCP leaves this machine")
  func loopback() throws {
    for text in ["h4:tcp:1", "h4:tcp:localhost:1", "h4:tcp:[::1]:1", "h4:tcp:127.9.9.9:1", "h4:pty", "vhci"] {
      try expect(PortAddress(parsing: text).isLoopback, "\(text)")
    }
    for text in ["h4:tcp:0.0.0.0:1", "h4:tcp:[::]:1", "h4:tcp:127.example.org:1", "h4:tcp:192.168.1.1:1"] {
      try expect(!PortAddress(parsing: text).isLoopback, "\(text)")
    }
  }

  @Test("An address that cannot do what the seat wants is refused")
  func seats() {
    #expect(throws: PortError.self) { try PortConfiguration.host(0, .user(adapter: 0)).validate() }
    for address in [PortAddress.vhci, .pty(path: nil), .tcp(host: "localhost", port: 0)] {
      #expect(throws: PortError.self) { try PortConfiguration.controller(0, address).validate() }
    }
  }
}
