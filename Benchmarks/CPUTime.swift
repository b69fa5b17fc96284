import Foundation

/// CPU seconds of this process so far, user and system.
func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// CPU seconds of all processes that this one has started and waited for, user and system.
func childCPUSeconds() -> Double {
  var usage = rusage()
  #if canImport(Glibc)
    getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
  #else
    getrusage(RUSAGE_CHILDREN, &usage)
  #endif
  return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
    + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
}

/// CPU seconds that `body` takes: the least of three runs, because the machine is shared.
func leastCPU(of body: () -> Void) -> Double {
  var least = Double.infinity
  for _ in 0..<3 {
    let before = cpuSeconds()
    body()
    least = min(least, cpuSeconds() - before)
  }
  return least
}

func row(_ name: String, _ value: Double, _ unit: String, target: String) {
  let figure = String(format: "%12.3f", value)
  print(name.padding(toLength: 46, withPad: " ", startingAt: 0) + figure + " " + unit + "   (" + target + ")")
}
