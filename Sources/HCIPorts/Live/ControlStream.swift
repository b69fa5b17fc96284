#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Who asks a run for a stream of octets, by the same address as orders.
public enum ControlStream {
  /// Octets of the line that comes before the stream.
  private static let lineLimit = 1 << 12

  /// Says a line, waits for “ok”, and hands on what comes until the run ends or somebody has enough.
  /// - Parameter take: takes octets; false: enough.
  /// - Throws: nobody listens there, or the answer is an error.
  public static func follow(
    _ line: String, at address: ControlAddress, _ take: ([UInt8]) -> Bool
  ) throws(PortError) {
    let descriptor = try connect(to: address)
    defer { close(descriptor) }
    var request = Array((line + "\n").utf8)
    while !request.isEmpty {
      let count = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { throw PortError("the session at \(address) takes no orders any more") }
      request.removeFirst(count)
    }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var isStreaming = false
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      if isStreaming {
        if !take(Array(buffer[..<count])) { return }
        continue
      }
      answer += buffer[..<count]
      guard let end = answer.firstIndex(of: 0x0A) else {
        if answer.count > lineLimit { throw PortError("the session at \(address) does not answer with a line") }
        continue
      }
      let text = String(decoding: answer[..<end], as: UTF8.self)
      guard text == "ok" else { throw PortError(text.hasPrefix("error: ") ? String(text.dropFirst(7)) : text) }
      isStreaming = true
      let rest = Array(answer[(end + 1)...])
      if !rest.isEmpty, !take(rest) { return }
    }
    if !isStreaming { throw PortError("the session has ended before its answer") }
  }

  private static func connect(to address: ControlAddress) throws(PortError) -> Int32 {
    let failure = { PortError("no session takes orders at \(address): \(PortError.reason(code: errno))") }
    switch address.address {
    case .unix(let path):
      let descriptor = socket(AF_UNIX, streamKind, 0)
      guard descriptor >= 0 else { throw failure() }
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      let fits = withUnsafeMutableBytes(of: &name.sun_path) { place in
        guard path.utf8.count < place.count else { return false }
        place.copyBytes(from: path.utf8)
        return true
      }
      let result = withUnsafePointer(to: &name) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          fits ? connect_(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) : -1
        }
      }
      if result == 0 { return descriptor }
      let error = failure()
      close(descriptor)
      throw error
    case .tcp(let host, let port):
      var hints = addrinfo()
      hints.ai_socktype = streamKind
      var list: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, String(port), &hints, &list) == 0, let first = list else {
        throw PortError("no session takes orders at \(address): there is no such host")
      }
      defer { freeaddrinfo(first) }
      var next: UnsafeMutablePointer<addrinfo>? = first
      while let info = next {
        let descriptor = socket(info.pointee.ai_family, info.pointee.ai_socktype, info.pointee.ai_protocol)
        if descriptor >= 0, connect_(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 {
          return descriptor
        }
        if descriptor >= 0 { close(descriptor) }
        next = info.pointee.ai_next
      }
      throw failure()
    case .pty, .vhci, .user: preconditionFailure("not an address for orders")
    }
  }

  #if canImport(Glibc)
    private static let streamKind = Int32(SOCK_STREAM.rawValue)
  #else
    private static let streamKind = SOCK_STREAM
  #endif

  private static func connect_(_ descriptor: Int32, _ name: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    #if canImport(Glibc)
      Glibc.connect(descriptor, name, length)
    #else
      Darwin.connect(descriptor, name, length)
    #endif
  }
}
