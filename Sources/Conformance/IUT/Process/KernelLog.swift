/// Finds what a Linux kernel complains of in lines of its log: warnings, oopses, BUG, reports of KASAN, KFENCE, UBSAN
/// and SLUB, tasks that are blocked, programs that are ended by a fault of memory.
///
/// A line is the kernel's when it begins with its time, `[   12.345678] `, as dmesg prints it. The place is the file
/// and line that the message names, or else the innermost function; what only checks (of lists, counters, locks) is not
/// the place where there is a caller. Addresses and offsets, which are others each time, are left out.
struct KernelLog {
  /// The newest lines of the kernel, oldest first, without their times.
  private let lines: [Substring]

  private static let lineLimit = 4_000
  /// How far after its first line the rest of a message may be.
  private static let reach = 80

  init(_ log: String) {
    lines = log.split(whereSeparator: \.isNewline).suffix(Self.lineLimit).compactMap(Self.withoutTime)
  }

  /// Oldest first, each place once.
  var complaints: [CrashMessage] {
    var found: [CrashMessage] = []
    for (index, line) in lines.enumerated() {
      guard let message = complaint(line, at: index), !found.contains(where: { $0.place == message.place }) else {
        continue
      }
      found.append(message)
    }
    return found
  }

  private static func withoutTime(_ line: Substring) -> Substring? {
    guard line.first == "[", let end = line.firstIndex(of: "]") else { return nil }
    let time = line[..<end].dropFirst().drop { $0 == " " }
    guard time.count > 7, time.contains("."), time.allSatisfy({ $0.isNumber || $0 == "." }) else { return nil }
    // Where the kernel is built to name the task too, `[  T150]` follows.
    let rest = line[line.index(after: end)...]
    return rest.first == "[" ? rest.drop { $0 != "]" }.dropFirst(2) : rest.dropFirst()
  }

  // MARK: Messages

  private func complaint(_ line: Substring, at index: Int) -> CrashMessage? {
    if line.hasPrefix("WARNING: CPU: ") { return warning(line, at: index) }
    if line.hasPrefix("kernel BUG at ") {
      return message("kernel BUG", named: line.dropFirst(14), at: index)
    }
    if line.hasPrefix("UBSAN: "), let mark = line.firstRange(of: " in ") {
      return message(String(line[..<mark.lowerBound]), named: line[mark.upperBound...], at: index)
    }
    if line.hasPrefix("BUG: KASAN: ") || line.hasPrefix("BUG: KFENCE: "), let mark = line.firstRange(of: " in ") {
      let function = Self.function(line[mark.upperBound...])
      return function.map { CrashMessage(file: $0, line: 0, text: Self.text(line[..<mark.lowerBound])) }
    }
    if line.hasPrefix("INFO: task "), line.contains(" blocked for more than ") {
      return function(after: index).map { CrashMessage(file: $0, line: 0, text: "a task is blocked") }
    }
    // SLUB: `BUG kmalloc-128 (Not tainted): Poison overwritten`. Whoever had the object is to blame, not who looked.
    if line.hasPrefix("BUG "), let open = line.firstRange(of: " ("), let close = line.firstRange(of: "): ") {
      let place = owner(after: index) ?? function(after: index) ?? "kernel"
      return CrashMessage(
        file: place, line: 0, text: line[..<open.lowerBound] + ": " + line[close.upperBound...])
    }
    let isFault = line.hasPrefix("general protection fault") || line.hasPrefix("Kernel panic - not syncing")
    if isFault || line.hasPrefix("BUG: ") || line.hasPrefix("watchdog: BUG: ") {
      return CrashMessage(file: function(after: index) ?? "kernel", line: 0, text: Self.text(line))
    }
    return fault(line)
  }

  /// `WARNING: CPU: 0 PID: 55 at net/bluetooth/hci_conn.c:619 hci_conn_timeout+0x122/0x140 [bluetooth]`
  private func warning(_ line: Substring, at index: Int) -> CrashMessage? {
    guard let mark = line.firstRange(of: " at ") else { return nil }
    let words = line[mark.upperBound...].split(separator: " ")
    guard let place = words.first else { return nil }
    let function = words.dropFirst().first.flatMap(Self.function)
    return message("WARNING" + (function.map { " in \($0)" } ?? ""), named: place, at: index)
  }

  /// A message that names `<file>:<line>`; where that only checks, its caller is the place.
  private func message(_ text: String, named place: Substring, at index: Int) -> CrashMessage? {
    let parts = place.split(separator: ":")
    guard parts.count > 1, let line = Int(parts[1].prefix { $0.isNumber }) else { return nil }
    if parts[0].hasPrefix("lib/") || parts[0].hasPrefix("mm/"), let function = function(after: index) {
      return CrashMessage(file: function, line: 0, text: Self.text(text[...]) + " (\(parts[0]):\(line))")
    }
    return CrashMessage(file: String(parts[0]), line: line, text: Self.text(text[...]))
  }

  /// `bluetoothd[178]: segfault at 18 ip 000055d0c1a5e2f4 sp 00007ffd4a8b0 error 4 in bluetoothd[55d0c1a2c000+d2000]`:
  /// the place is the offset in the program.
  private func fault(_ line: Substring) -> CrashMessage? {
    let line = line.hasPrefix("traps: ") ? line.dropFirst(7) : line
    guard let open = line.firstIndex(of: "["), let mark = line.ranges(of: " in ").last,
      line.contains("]: segfault at ") || line.contains("] general protection fault ip:")
    else { return nil }
    let words = line.split { $0 == " " || $0 == ":" }
    let object = line[mark.upperBound...]
    guard let ip = words.firstIndex(of: "ip"), words.indices.contains(ip + 1),
      let at = UInt64(words[ip + 1], radix: 16), let bracket = object.firstIndex(of: "["),
      // Newer kernels have an offset and a comma before it.
      let base = object[bracket...].dropFirst().prefix(while: { $0 != "+" }).split(separator: ",").last,
      let start = UInt64(base, radix: 16)
    else { return nil }
    let place = "\(object[..<bracket])+0x\(String(at &- start, radix: 16))"
    return CrashMessage(file: place, line: 0, text: "\(line[..<open]) is ended by a fault of memory")
  }

  // MARK: Functions

  /// What stops, tells of others, or only checks.
  private static let checkers = [
    "__list_", "refcount_", "__schedule", "schedule", "__mutex_", "mutex_", "rwsem_", "down_", "__down", "__wait_",
    "wait_for_", "dump_stack", "show_stack", "print_", "object_err", "slab_err", "check_", "free_", "__slab_", "kfree",
    "kmem_cache_", "___slab_", "__kmem_", "__kmalloc", "kmalloc", "__stack_chk_fail", "panic", "die", "exc_",
    "asm_exc_",
    "native_queued_spin_", "_raw_", "lock_sock_nested", "__lock_sock", "report_bug", "handle_bug", "alloc_debug_",
  ]

  /// Who freed an object, or else who had it made, as far as the kernel keeps account of it.
  private func owner(after index: Int) -> String? {
    let rest = lines[index...].dropFirst().prefix(Self.reach)
    for opening in ["Freed in ", "Allocated in "] {
      if let line = rest.first(where: { $0.hasPrefix(opening) }) { return Self.function(line.dropFirst(opening.count)) }
    }
    return nil
  }

  /// The innermost function that a message names after its first line: where the processor was, then who called.
  private func function(after index: Int) -> String? {
    var isTrace = false
    var first: String?
    for line in lines[index...].dropFirst().prefix(Self.reach) {
      let text = line.drop { $0 == " " }
      var name: String?
      if text.hasPrefix("RIP: 0010:") {
        name = Self.function(text.dropFirst(10))
      } else if text.hasPrefix("Call Trace:") {
        isTrace = true
      } else if text.hasPrefix("---[ end trace") || text.hasPrefix("RIP: 0033:") {
        break
      } else if isTrace, !text.hasPrefix("? ") {
        name = Self.function(text)
      }
      guard let name else { continue }
      if !Self.checkers.contains(where: name.hasPrefix) { return name }
      first = first ?? name
    }
    return first
  }

  /// The name in `hci_conn_timeout+0x122/0x140 [bluetooth]`, without what the compiler adds to it.
  private static func function(_ text: Substring) -> String? {
    guard let plus = text.firstRange(of: "+0x") else { return nil }
    let name = text[..<plus.lowerBound].prefix { $0 != "." }
    return name.isEmpty || name.contains(" ") ? nil : String(name)
  }

  /// Without addresses, processes and processors.
  private static func text(_ line: Substring) -> String {
    var text = line.drop { $0 == " " }
    for mark in [" address 0x", ", address: ", " CPU#", " at address", ": 0000", " (", " /", ", probably"] {
      if let range = text.firstRange(of: mark) { text = text[..<range.lowerBound] }
    }
    return String(text)
  }
}
