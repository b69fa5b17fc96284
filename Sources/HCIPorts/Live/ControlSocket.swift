#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A connection to a run that takes orders: a line is said, a line answers, and octets may follow it.
final class ControlSocket {
  private let address: ControlAddress
  private let descriptor: Int32
  /// What came after the last line that was taken.
  private var rest: [UInt8] = []
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// - Throws: nobody listens there.
  init(_ address: ControlAddress) throws(PortError) {
    self.address = address
    descriptor = try Self.connect(to: address)
  }

  deinit { close(descriptor) }

  /// Says a line, and waits for the line of the answer.
  /// - Throws: the run has ended before its answer, or the answer has more octets than that.
  func ask(_ line: String, limit: Int) throws(PortError) -> String {
    var request = Array((line.split(separator: "\n").joined(separator: " ") + "\n").utf8)
    while !request.isEmpty {
      let count = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PortError("the session at \(address) takes no orders any more") }
      request.removeFirst(count)
    }
    var answer: [UInt8] = []
    while let octets = read() {
      answer += octets
      if let end = answer.firstIndex(of: 0x0A) {
        rest = Array(answer[(end + 1)...])
        return String(decoding: answer[..<end], as: UTF8.self)
      }
      if answer.count > limit { throw PortError("the session at \(address) does not answer with a line") }
    }
    throw PortError("the session has ended before its answer")
  }

  /// Waits for octets; nil: the run has ended.
  func read() -> [UInt8]? {
    if !rest.isEmpty {
      defer { rest = [] }
      return rest
    }
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      return count > 0 ? Array(buffer[..<count]) : nil
    }
  }

  private static func connect(to address: ControlAddress) throws(PortError) -> Int32 {
    let refusal = "no session takes orders at \(address)"
    switch address.address {
    case .unix(let path):
      let descriptor = socket(AF_UNIX, streamKind, 0)
      if descriptor >= 0, connect(descriptor, path: path) == 0 { return descriptor }
      let error = PortError("\(refusal): \(PortError.reason(code: errno))")
      if descriptor >= 0 { close(descriptor) }
      throw error
    case .tcp(let host, let port):
      var hints = addrinfo()
      hints.ai_socktype = streamKind
      var list: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, String(port), &hints, &list) == 0, let first = list else {
        throw PortError("\(refusal): no such host")
      }
      defer { freeaddrinfo(first) }
      var code = errno
      for info in sequence(first: first, next: \.pointee.ai_next) {
        let descriptor = socket(info.pointee.ai_family, info.pointee.ai_socktype, info.pointee.ai_protocol)
        if descriptor >= 0, connect_(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 {
          return descriptor
        }
        code = errno
        if descriptor >= 0 { close(descriptor) }
      }
      throw PortError("\(refusal): \(PortError.reason(code: code))")
    case .pty, .vhci, .user: preconditionFailure("not an address for orders")
    }
  }

  /// Connects to the socket of a file, as connect(2) does; a path that is too long is `ENAMETOOLONG`.
  static func connect(_ descriptor: Int32, path: String) -> Int32 {
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &name.sun_path) { place in
      guard path.utf8.count < place.count else { return false }
      place.copyBytes(from: path.utf8)
      return true
    }
    guard fits else {
      errno = ENAMETOOLONG
      return -1
    }
    return withUnsafePointer(to: name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect_(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  #if canImport(Glibc)
    static let streamKind = Int32(SOCK_STREAM.rawValue)
  #else
    static let streamKind = SOCK_STREAM
  #endif

  private static func connect_(_ descriptor: Int32, _ name: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    #if canImport(Glibc)
      Glibc.connect(descriptor, name, length)
    #else
      Darwin.connect(descriptor, name, length)
    #endif
  }
}
