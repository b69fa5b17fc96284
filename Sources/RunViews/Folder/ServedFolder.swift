import Foundation

/// Files below one folder, and nothing else: no name leads out of it, and symbolic links are not followed.
struct ServedFolder: Sendable {
  /// A file that is open for reading.
  final class OpenFile {
    private(set) var descriptor: Int32
    let size: Int
    /// Changes with the content: files of the bench are replaced as a whole.
    let tag: String

    init(descriptor: Int32, size: Int, tag: String) {
      self.descriptor = descriptor
      self.size = size
      self.tag = tag
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// All of it; nil when it is longer, or shorter than it was.
    func octets(limit: Int) -> [UInt8]? {
      guard size <= limit else { return nil }
      var octets = [UInt8](repeating: 0, count: size)
      var filled = 0
      while filled < octets.count {
        let count = octets.withUnsafeMutableBytes {
          pread(descriptor, $0.baseAddress! + filled, $0.count - filled, off_t(filled))
        }
        guard count > 0 else { return nil }
        filled += count
      }
      return octets
    }

    /// The descriptor, which is the caller's to close from now on.
    func release() -> Int32 {
      defer { descriptor = -1 }
      return descriptor
    }
  }

  /// What a folder has.
  struct Entry: Sendable {
    var name: String
    var isFolder: Bool
    var size: Int
    /// Seconds and nanoseconds since 1970.
    var changed: Int64
  }

  private let root: String

  init(_ root: String) { self.root = root }

  /// Whether it is a folder that can be read.
  var isThere: Bool {
    let descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  /// Whether a name may be part of a path: hidden files and unfinished ones are nobody's.
  static func isServed(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && !name.hasSuffix(".partial") && name.utf8.count <= 255
      && !name.utf8.contains { $0 == 0x2F || $0 < 0x20 || $0 == 0x7F }
  }

  /// The regular file with these names from the folder on; nil when there is none.
  func file(_ names: [String]) -> OpenFile? {
    guard let last = names.last, let folder = folder(names.dropLast()) else { return nil }
    defer { close(folder) }
    guard Self.isServed(last) else { return nil }
    // A named pipe must not make the server wait.
    let descriptor = openat(folder, last, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    let time = Self.nanoseconds(status)
    return OpenFile(
      descriptor: descriptor, size: Int(status.st_size), tag: "\"\(status.st_ino)-\(status.st_size)-\(time)\"")
  }

  /// What a folder has, by name; at most so many. Nil when there is no such folder.
  func entries(_ names: [String], limit: Int) -> [Entry]? {
    guard let folder = folder(names[...]) else { return nil }
    guard let stream = fdopendir(folder) else {
      close(folder)
      return nil
    }
    defer { closedir(stream) }
    var entries: [Entry] = []
    while entries.count < limit, let found = readdir(stream) {
      let name = withUnsafePointer(to: &found.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      var status = stat()
      guard Self.isServed(name), fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
      let kind = status.st_mode & S_IFMT
      guard kind == S_IFREG || kind == S_IFDIR else { continue }
      entries.append(
        Entry(
          name: name, isFolder: kind == S_IFDIR, size: Int(status.st_size), changed: Self.nanoseconds(status)))
    }
    return entries.sorted { $0.name < $1.name }
  }

  /// A small file as a whole; nil when it is not there or longer.
  func octets(_ names: [String], limit: Int) -> [UInt8]? {
    file(names)?.octets(limit: limit)
  }

  /// A descriptor of a folder, each part of the way opened by itself.
  private func folder(_ names: ArraySlice<String>) -> Int32? {
    var descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for name in names {
      guard descriptor >= 0 else { return nil }
      let next = Self.isServed(name) ? openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1
      close(descriptor)
      descriptor = next
    }
    return descriptor >= 0 ? descriptor : nil
  }

  private static func nanoseconds(_ status: stat) -> Int64 {
    #if canImport(Glibc)
      Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    #else
      Int64(status.st_mtimespec.tv_sec) * 1_000_000_000 + Int64(status.st_mtimespec.tv_nsec)
    #endif
  }
}
