/// What a request asks for, once it is clear that it may be answered.
enum ViewRequest: Equatable {
  case index
  case script
  /// The frame around a timeline.
  case follow([String])
  case file([String])
  /// The page of a room that lives, its script, and what has passed after a packet.
  case room
  case roomScript
  case roomState(since: Int)
  /// A status, and why.
  case refused(Int, String)

  /// - Parameters:
  ///   - host: the header; nil when it is not there once.
  ///   - port: where the server listens. A name that an attacker's server has given this machine's address is refused.
  init(method: String, target: String, host: String?, port: Int) {
    guard let host, Self.isOurs(host, port) else {
      self = .refused(421, "this server answers to 127.0.0.1, ::1 and localhost only")
      return
    }
    guard method == "GET" || method == "HEAD" else {
      self = .refused(405, "GET and HEAD only")
      return
    }
    let path = target.prefix { $0 != "?" && $0 != "#" }
    guard path.first == "/", path.utf8.count <= 4_096, let names = Self.names(path) else {
      self = .refused(400, "no path")
      return
    }
    switch (names.first, names.count) {
    case (nil, _): self = .index
    case (FollowPage.prefix, 2) where names[1] == "follow.js": self = .script
    case (FollowPage.prefix, 2) where names[1] == "room": self = .room
    case (FollowPage.prefix, 2) where names[1] == "room.js": self = .roomScript
    case (FollowPage.prefix, 2) where names[1] == "room.json": self = .roomState(since: Self.since(target))
    case (FollowPage.prefix, 3...) where names[1] == "follow" && names.last == "timeline.html":
      self = .follow(Array(names.dropFirst(2)))
    case ("files", 2...): self = .file(Array(names.dropFirst()))
    default: self = .refused(404, "nothing is here")
    }
  }

  /// The number after `since=`; 0 where there is none.
  private static func since(_ target: String) -> Int {
    guard let query = target.split(separator: "?", maxSplits: 1).dropFirst().first, query.hasPrefix("since=") else {
      return 0
    }
    return max(0, Int(query.dropFirst("since=".count).prefix(18)) ?? 0)
  }

  private static func isOurs(_ host: String, _ port: Int) -> Bool {
    let names = ["127.0.0.1", "[::1]", "localhost"]
    return names.contains { host.lowercased() == "\($0):\(port)" || (port == 80 && host.lowercased() == $0) }
  }

  /// The parts between slashes, each undone by itself: `%2F` is no slash. Nil where one may not be part of a path.
  private static func names(_ path: Substring) -> [String]? {
    if path == "/" { return [] }
    var names: [String] = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let name = undone(part), name == FollowPage.prefix || ServedFolder.isServed(name) else { return nil }
      names.append(name)
    }
    return names
  }

  private static func undone(_ part: Substring) -> String? {
    var octets: [UInt8] = []
    var rest = Array(part.utf8)[...]
    while let octet = rest.popFirst() {
      guard octet == UInt8(ascii: "%") else {
        octets.append(octet)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      octets.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: octets, as: UTF8.self)
  }
}
