extension PortAddress {
  /// Reads the text of the table above. Wrong text is refused with what to write instead.
  public init(parsing text: String) throws(PortError) {
    if text.isEmpty { throw PortError("an address of a port is empty: \(PortAddress.forms)") }
    if text == "vhci" {
      self = .vhci
    } else if let rest = text.dropping("user:") {
      self = try PortAddress.user(rest, text)
    } else if let rest = text.dropping("h4:tcp:") {
      self = try PortAddress.tcp(rest, text)
    } else if let rest = text.dropping("h4:unix:") {
      self = .unix(path: try PortAddress.path(rest, text, "a Unix socket needs a path: h4:unix:/tmp/hci"))
      guard rest.utf8.count <= PortAddress.maximumSocketPath else {
        throw PortError(
          "\(text): a Unix socket's path has at most \(PortAddress.maximumSocketPath) octets, this one has "
            + "\(rest.utf8.count)")
      }
    } else if text == "h4:pty" {
      self = .pty(path: nil)
    } else if let rest = text.dropping("h4:pty:") {
      self = .pty(path: try PortAddress.path(rest, text, "a path is missing: h4:pty:/tmp/hci, or h4:pty for a new one"))
    } else {
      throw PortError("\(text) is no address of a port: \(PortAddress.forms)")
    }
  }

  static let forms =
    "write h4:tcp:PORT, h4:tcp:HOST:PORT, h4:unix:PATH, h4:pty, h4:pty:PATH, vhci or user:hciN"

  private static func user(_ rest: Substring, _ text: String) throws(PortError) -> PortAddress {
    guard let digits = rest.dropping("hci"), let adapter = number(digits), adapter < 0xFFFF else {
      throw PortError("\(text): the adapter's name is missing: user:hci0")
    }
    return .user(adapter: adapter)
  }

  private static func tcp(_ rest: Substring, _ text: String) throws(PortError) -> PortAddress {
    guard let colon = rest.lastIndex(of: ":") else {
      return .tcp(host: "127.0.0.1", port: try port(rest, text))
    }
    let digits = rest[rest.index(after: colon)...]
    var host = rest[..<colon]
    if host.first == "[" {
      guard host.last == "]" else { throw PortError("\(text): the bracket is not closed: h4:tcp:[::1]:9000") }
      host = host.dropFirst().dropLast()
      guard !host.isEmpty, isIPv6(host) else {
        throw PortError("\(text): between the brackets stands an IPv6 address: h4:tcp:[::1]:9000")
      }
    } else if host.contains(":") {
      throw PortError("\(text): write an IPv6 address in brackets: h4:tcp:[::1]:9000")
    }
    guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || $0 == "/" }) else {
      throw PortError("\(text): a host is missing before the port: h4:tcp:localhost:9000, or h4:tcp:9000")
    }
    return .tcp(host: String(host), port: try port(digits, text))
  }

  /// Hexadecimal digits, colons and dots, and the name of an interface after a percent sign.
  private static func isIPv6(_ host: Substring) -> Bool {
    let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
    return parts[0].allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
      && parts.dropFirst().allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && !$0.isWhitespace && $0 != "/" } }
  }

  private static func port(_ digits: Substring, _ text: String) throws(PortError) -> Int {
    guard let port = number(digits), port <= 0xFFFF else {
      throw PortError("\(text): a port is a number from 0 to 65535: h4:tcp:9000 or h4:tcp:localhost:9000")
    }
    return port
  }

  private static func path(_ rest: Substring, _ text: String, _ missing: String) throws(PortError) -> String {
    guard !rest.isEmpty else { throw PortError("\(text): \(missing)") }
    guard !rest.utf8.contains(0) else { throw PortError("a path with a zero octet in it is no path") }
    return String(rest)
  }

  /// Digits alone, at most five of them.
  private static func number(_ digits: Substring) -> Int? {
    guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }
}

extension StringProtocol where SubSequence == Substring {
  fileprivate func dropping(_ prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
