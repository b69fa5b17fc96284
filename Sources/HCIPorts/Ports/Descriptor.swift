#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// File descriptors that are not swift-nio's (yet).
enum Descriptor {
  /// Below zero with `errno` when it cannot be opened.
  static func opening(_ path: String, _ flags: Int32) -> CInt { open(path, flags | O_CLOEXEC) }

  static func shut(_ descriptor: CInt) { _ = close(descriptor) }
}
