import Campaigns
import Foundation
import ParserTargets

/// A mapped file that holds the number and the octets of the input that is being tried, and where a signal ended it.
final class InputLog {
  /// Octets of an input that fit.
  static let limit = 1 << 16
  private static let crashPlace = 64
  private static let header = 512
  private let base: UnsafeMutableRawPointer

  /// - Parameter path: made when it is not there.
  init(path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    defer { close(descriptor) }
    #if canImport(Glibc)
      // A hole in a file would be found on a full disk only when it is written to, by a signal.
      let code = posix_fallocate(descriptor, 0, off_t(Self.header + Self.limit))
      if code != 0 { throw Self.failure(path, code) }
    #else
      if ftruncate(descriptor, off_t(Self.header + Self.limit)) != 0 { throw Self.failure(path, errno) }
    #endif
    guard let mapped = mmap(nil, Self.header + Self.limit, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      mapped != MAP_FAILED
    else { throw Self.failure(path, errno) }
    base = mapped
  }

  deinit { munmap(base, Self.header + Self.limit) }

  private static func failure(_ path: String, _ code: Int32) -> BenchFailure {
    BenchFailure("\(path): cannot be mapped: \(String(cString: strerror(code)))")
  }

  private func word(_ index: Int) -> UnsafeMutablePointer<UInt64> {
    (base + index * 8).assumingMemoryBound(to: UInt64.self)
  }

  var execution: UInt64 { word(0).pointee }
  var states: UInt64 {
    get { word(2).pointee }
    set { word(2).pointee = newValue }
  }

  /// The process that tries it.
  var child: UInt64 {
    get { word(3).pointee }
    set { word(3).pointee = newValue }
  }

  var input: [UInt8] {
    Array(UnsafeRawBufferPointer(start: base + Self.header, count: min(Int(word(1).pointee), Self.limit)))
  }

  /// Where a signal is noted.
  var crash: UnsafeMutableRawPointer { base + Self.crashPlace }

  func enter(_ execution: UInt64, _ input: [UInt8]) {
    word(0).pointee = execution
    word(1).pointee = UInt64(min(input.count, Self.limit))
    input.withUnsafeBytes {
      (base + Self.header).copyMemory(
        from: $0.baseAddress ?? UnsafeRawPointer(base), byteCount: min($0.count, Self.limit))
    }
  }
}
