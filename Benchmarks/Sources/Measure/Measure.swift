/// Prints what the bench costs, each figure beside its peer or its limit.
@main
enum Measure {
  static func main() {
    let wanted = CommandLine.arguments.dropFirst()
    func wants(_ name: String) -> Bool { wanted.isEmpty || wanted.contains(name) }
    if wants("queue") { QueueBenchmark.report() }
    if wants("link") { LinkBenchmark.report() }
    if wants("port") { PortBenchmark.report() }
    if wants("lobby") { LobbyBenchmark.report() }
    if wants("capture") { CaptureBenchmark.report() }
    for argument in wanted where argument.hasPrefix("capture=") {
      CaptureBenchmark.report(megabytes: Int(argument.dropFirst(8)) ?? 20, streamed: 0)
    }
    for argument in wanted where argument.hasPrefix("lobby=") {
      LobbyBenchmark.report(lines: Int(argument.dropFirst(6)) ?? 60)
    }
  }
}
