import Foundation

/// A descriptor in the hands of a test: nothing between it and the system's calls.
final class RawClient {
  private(set) var descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  init(tcp port: Int) {
    descriptor = RawClient.stream(AF_INET)
    var address = RawClient.loopback(port)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if status != 0 { close() }
  }

  init(unix path: String) {
    descriptor = RawClient.stream(AF_UNIX)
    var address = RawClient.unix(path)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if status != 0 { close() }
  }

  /// Opens a terminal as a host's program does.
  init(terminal path: String) { descriptor = open(path, O_RDWR | O_NOCTTY) }

  deinit { close() }

  var isOpen: Bool { descriptor >= 0 }

  static func stream(_ family: Int32) -> Int32 {
    #if os(Linux)
      socket(family, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket(family, SOCK_STREAM, 0)
    #endif
  }

  static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  static func unix(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return address
  }

  func write(_ octets: [UInt8]) {
    var rest = octets[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send($0) }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  private func send(_ octets: UnsafeRawBufferPointer) -> Int {
    #if os(Linux)
      let count = Foundation.send(descriptor, octets.baseAddress!, octets.count, Int32(MSG_NOSIGNAL))
      if count >= 0 || errno != ENOTSOCK { return count }
    #endif
    return Foundation.write(descriptor, octets.baseAddress!, octets.count)
  }

  /// So many octets, or fewer when the far side closes or patience is over.
  func read(_ count: Int) -> [UInt8] {
    var all: [UInt8] = []
    while all.count < count {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, Int32(LiveRun.patience * 1_000)) > 0 else { return all }
      var part = [UInt8](repeating: 0, count: count - all.count)
      let got = Foundation.read(descriptor, &part, part.count)
      guard got > 0 else { return all }
      all += part.prefix(got)
    }
    return all
  }

  /// The far side closed the connection, after whatever it had still to say.
  func isClosedByPeer() -> Bool {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var part = [UInt8](repeating: 0, count: 65_536)
    while poll(&wait, 1, Int32(LiveRun.patience * 1_000)) > 0 {
      if Foundation.read(descriptor, &part, part.count) <= 0 { return true }
    }
    return false
  }

  func close() {
    if descriptor >= 0 { _ = Foundation.close(descriptor) }
    descriptor = -1
  }

  /// Cuts the connection with RST instead of an orderly end.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }
}

/// A listener in the hands of a test: where a controller from outside would be.
final class RawListener {
  let descriptor: Int32
  let port: Int

  init() {
    let listener = RawClient.stream(AF_INET)
    var address = RawClient.loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(listener, $0, length)
        _ = listen(listener, 4)
        _ = getsockname(listener, $0, &length)
      }
    }
    descriptor = listener
    port = Int(UInt16(bigEndian: address.sin_port))
  }

  deinit { _ = Foundation.close(descriptor) }

  func accept() -> RawClient {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, Int32(LiveRun.patience * 1_000)) > 0 else { return RawClient(descriptor: -1) }
    return RawClient(descriptor: Foundation.accept(descriptor, nil, nil))
  }
}

/// A folder that is gone with the test.
final class ScratchFolder {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("hp-\(UInt32.random(in: 0 ... .max))").path
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A file that is nothing but a file.
  func put(_ name: String) throws { try Data([1]).write(to: URL(fileURLWithPath: self(name))) }

  func callAsFunction(_ name: String) -> String { path + "/" + name }
}
