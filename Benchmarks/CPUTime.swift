import Foundation

/// CPU seconds of this process so far, user and system.
func cpuSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
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
