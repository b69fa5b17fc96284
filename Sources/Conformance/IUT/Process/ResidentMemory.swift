#if canImport(Glibc)
  import Glibc
#endif

/// Resident memory of a process and of what it has started.
enum ResidentMemory {
  /// Processes looked at; who starts more hides the rest.
  private static let processLimit = 64

  /// Octets; nil where the system does not say (it does on Linux).
  static func octets(of pid: Int32) -> Int? {
    #if os(Linux)
      guard let own = pages(of: pid) else { return nil }
      var sum = own
      var family = [pid]
      var next = 0
      while next < family.count, family.count < processLimit {
        for child in children(of: family[next]) where !family.contains(child) {
          family.append(child)
          sum += pages(of: child) ?? 0
        }
        next += 1
      }
      return sum * Int(getpagesize())
    #else
      return nil
    #endif
  }

  #if os(Linux)
    /// The second number of `statm`: resident pages, shared ones included.
    private static func pages(of pid: Int32) -> Int? {
      let words = text(of: "/proc/\(pid)/statm").split(separator: " ")
      return words.count > 1 ? Int(words[1]) : nil
    }

    private static func children(of pid: Int32) -> [Int32] {
      text(of: "/proc/\(pid)/task/\(pid)/children").split(separator: " ").compactMap { Int32($0) }
    }

    private static func text(of path: String) -> String {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return "" }
      defer { close(descriptor) }
      var octets = [UInt8](repeating: 0, count: 1_024)
      let count = read(descriptor, &octets, octets.count)
      return count > 0 ? String(decoding: octets[..<count], as: UTF8.self) : ""
    }
  #endif
}
