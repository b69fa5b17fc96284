#if canImport(Glibc)
  import Glibc
#endif

/// A process and what it has started, so far as the system says (it does on Linux).
package struct ProcessFamily {
  struct Member: Hashable {
    var pid: Int32
    /// The name of the program, or of the script that a shell runs; at most 15 characters.
    var name: String
    /// The shell that it is.
    var shell: String?
  }

  /// What the system says of the time of one thread.
  struct ThreadTime {
    /// Nanoseconds on a processor, and nanoseconds of waiting for one that are over.
    var ran = 0
    var waited = 0
    /// It is on a processor, or waits for one now.
    var isRunnable = false
  }

  /// Processes looked at, and threads of each; who starts more hides the rest.
  private static let limit = 64
  private static let shells = ["sh", "dash", "bash", "zsh", "ksh", "ash", "busybox", "fish"]

  /// The process itself is the first. Empty where the system does not say.
  let members: [Member]

  init() { members = [] }

  /// Everything that is alive now and descends from a process.
  package init(of pid: Int32) {
    #if os(Linux)
      var found: [Member] = []
      var pids = [pid]
      var next = 0
      while next < pids.count, pids.count < Self.limit {
        let pid = pids[next]
        next += 1
        guard let name = Self.name(of: pid) else { continue }
        found.append(Member(pid: pid, name: name, shell: Self.shell(of: pid)))
        for child in Self.children(of: pid) where !pids.contains(child) { pids.append(child) }
      }
      members = found
    #else
      members = []
    #endif
  }

  /// The name of the shell, when the process itself is one.
  var shell: String? { members.first?.shell }

  /// The names of what it has started, without those that another family still has: `python3 and tee`.
  func names(without other: ProcessFamily = ProcessFamily()) -> String? {
    let gone = members.dropFirst().filter { !other.members.contains($0) }
    let names = gone.map(\.name).sorted()
    let each = names.indices.filter { $0 == 0 || names[$0] != names[$0 - 1] }.map { names[$0] }
    guard let last = each.last else { return nil }
    return each.count == 1 ? last : each.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Octets of resident memory that all of them use, shared pages counted for each.
  package var residentOctets: Int {
    #if os(Linux)
      members.map { Self.pages(of: $0.pid) ?? 0 }.reduce(0, +) * Int(getpagesize())
    #else
      0
    #endif
  }

  /// By thread, of all of them. Empty where the system does not say.
  var threadTimes: [Int32: ThreadTime] {
    var times: [Int32: ThreadTime] = [:]
    #if os(Linux)
      for member in members {
        for thread in Self.threads(of: member.pid) {
          let folder = "/proc/\(member.pid)/task/\(thread)/"
          let words = Self.text(of: folder + "schedstat").split(whereSeparator: \.isWhitespace)
          guard words.count > 1, let ran = Int(words[0]), let waited = Int(words[1]) else { continue }
          let isRunnable = Self.state(in: Self.text(of: folder + "stat")) == "R"
          times[thread] = ThreadTime(ran: ran, waited: waited, isRunnable: isRunnable)
        }
      }
    #endif
    return times
  }

  #if os(Linux)
    private static func threads(of pid: Int32) -> [Int32] {
      guard let folder = opendir("/proc/\(pid)/task") else { return [] }
      defer { closedir(folder) }
      var found: [Int32] = []
      while found.count < limit, let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 } }
        if let thread = Int32(String(decoding: name, as: UTF8.self)) { found.append(thread) }
      }
      return found
    }

    /// Nil for one that is not there, or has ended and was not collected.
    private static func name(of pid: Int32) -> String? {
      let text = text(of: "/proc/\(pid)/stat")
      guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { return nil }
      let state = state(in: text)
      return state == "Z" || state == "X" ? nil : String(text[text.index(after: open)..<close])
    }

    /// The letter after the name: `R` can run, `S` and `D` wait, `T` is stopped, `Z` and `X` have ended.
    private static func state(in text: String) -> Character? {
      text.lastIndex(of: ")").flatMap { close in text[close...].dropFirst().first { $0 != " " } }
    }

    private static func shell(of pid: Int32) -> String? {
      var characters = [CChar](repeating: 0, count: 1_024)
      let count = readlink("/proc/\(pid)/exe", &characters, characters.count)
      guard count > 0 else { return nil }
      let path = String(decoding: characters[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return path.split(separator: "/").last.map(String.init).flatMap { shells.contains($0) ? $0 : nil }
    }

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
