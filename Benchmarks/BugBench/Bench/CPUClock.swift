import Foundation

/// CPU time of this process and of its children, those that have ended and those that run.
enum CPUClock {
  static var seconds: Double {
    var usages = [rusage(), rusage()]
    #if canImport(Glibc)
      getrusage(RUSAGE_SELF.rawValue, &usages[0])
      getrusage(RUSAGE_CHILDREN.rawValue, &usages[1])
    #else
      getrusage(RUSAGE_SELF, &usages[0])
      getrusage(RUSAGE_CHILDREN, &usages[1])
    #endif
    let times = usages.flatMap { [$0.ru_utime, $0.ru_stime] }
    return times.reduce(running) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
  }

  /// What children have taken that have not ended. Only Linux tells of them.
  private static var running: Double {
    let own = getpid()
    guard let list = try? String(contentsOfFile: "/proc/\(own)/task/\(own)/children", encoding: .utf8) else { return 0 }
    return list.split(separator: " ").reduce(0) { sum, word in
      guard let stat = try? String(contentsOfFile: "/proc/\(word)/stat", encoding: .utf8) else { return sum }
      // The fields after the name, which is in brackets: utime and stime are the 14th and 15th of all.
      let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
      guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return sum }
      return sum + (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }
}
