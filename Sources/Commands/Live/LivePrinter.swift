import Conformance
import HCIPorts
import Judging
import SimKernel

/// Lays out what is special about a run by the wall clock.
enum LivePrinter {
  /// What is told once all ports are open: a line for each with what to write on the other side.
  static func text(of ports: [OpenPort], _ plan: LivePlan) -> String {
    let isServing = plan.ports.contains { $0.partner != .controller }
    var rows: [[String]] = []
    for port in ports {
      rows.append([port.name, fullText(of: port)] + (isServing ? hints(port) : []))
    }
    var lines = ConsoleTable.table(rows, rightAligned: []).split(separator: "\n").map { "port " + $0 }
    if isServing {
      if ports.allSatisfy(\.address.isLoopback) { lines.append("only this machine can reach them") }
      for task in plan.tasks { lines.append("to be done by an external device: " + task) }
      switch plan.begin {
      case .atOnce where plan.clock == .lockstep: lines.append("ready; time stands while no host is there")
      case .atOnce: lines.append("ready; time runs")
      case .firstSeat: lines.append("ready; time begins when the first host connects")
      case .allSeats: lines.append("ready; time begins when all hosts have connected")
      }
    } else {
      lines.append("all controllers are there; time runs")
    }
    return lines.joined(separator: "\n")
  }

  /// A port that was opened while the session runs, in one line.
  static func line(of port: OpenPort) -> String {
    (["port " + port.name, fullText(of: port)] + hints(port)).joined(separator: "  ")
  }

  /// One line for each port that strangers can reach.
  static func warnings(_ ports: [OpenPort]) -> [String] {
    ports.filter { !$0.address.isLoopback }.map {
      "warning: \(fullText(of: $0)) is open to the network: whoever connects first gets the"
        + " \($0.isForAir ? "radio" : "controller") of \($0.name), and nothing on the way is encrypted"
    }
  }

  /// `DEVICE ADDRESS`, a line for each port.
  static func readyLines(_ ports: [OpenPort]) -> String {
    ports.map { "\($0.name) \($0.terminal.map { "h4:pty:" + $0 } ?? fullText(of: $0))\n" }.joined()
  }

  /// What is written on the other side.
  private static func hints(_ port: OpenPort) -> [String] {
    if port.isForAir { return ["babbench.air"] }
    switch port.address {
    case .tcp(let host, let number):
      let place = host.contains(":") ? "[\(host)]:\(number)" : "\(host):\(number)"
      return ["bumble: tcp-client:\(place)"]
    case .unix(let path): return ["bumble: unix:\(path)"]
    case .pty(let path):
      let terminal = path ?? port.terminal ?? ""
      return ["bumble: serial:\(terminal)", "BlueZ: btattach -P h4 -B \(terminal)"]
    case .vhci: return ["BlueZ: bluetoothctl list"]
    case .user: return []
    }
  }

  private static func fullText(of port: OpenPort) -> String {
    let text = fullText(of: port.address)
    return port.isForAir ? "air:" + text.dropFirst(3) : text
  }

  /// An address with its host, whatever it is.
  static func fullText(of address: PortAddress) -> String {
    if case .tcp("127.0.0.1", let port) = address { return "h4:tcp:127.0.0.1:\(port)" }
    return address.description
  }

  /// Ports and lag, when it is over.
  static func text(of report: LiveReport) -> String {
    var rows = [["port", "address", "attached", "packets in", "packets out", "refused", "cut off", "out of step"]]
    for port in report.ports {
      rows.append([
        port.name, port.address, String(port.attachments), String(port.packetsIn), String(port.packetsOut),
        String(port.refusals), String(port.drops), String(port.lossesOfStep),
      ])
    }
    let lag = report.lag
    var text = "\n" + ConsoleTable.table(rows, rightAligned: [2, 3, 4, 5, 6, 7])
    if report.clock == .lockstep {
      let tenths = report.wall > .zero ? report.now.nanoseconds / max(report.wall.nanoseconds / 10, 1) : 0
      return text + "lockstep: \(report.now) s in \(milliseconds(report.wall)) of the wall clock,"
        + " \(tenths / 10).\(tenths % 10) times real time\n"
    }
    text += "lag p50 \(milliseconds(lag.p50)), p99 \(milliseconds(lag.p99)), largest \(milliseconds(lag.maximum));"
    text += " \(lag.overBound) of \(lag.events) events later than \(milliseconds(lag.bound))"
    return text + (lag.catchUps > 0 ? ", in \(lag.catchUps) stretches\n" : "\n")
  }

  /// How it goes, for a terminal.
  static func line(of status: LiveStatus, _ clock: LiveClock) -> String {
    guard let now = status.now else { return "waiting for a host; \(status.takenSeats) of \(status.seats) connected" }
    let traffic =
      "\(now.nanoseconds / 1_000_000_000) s, \(status.takenSeats) of \(status.seats) connected, "
      + "\(status.packetsIn) packets in, \(status.packetsOut) out"
    if clock == .lockstep { return traffic }
    return traffic + ", lag p99 \(milliseconds(status.lag.p99)), "
      + "largest \(milliseconds(status.lag.maximum))"
  }

  /// Two decimals.
  static func milliseconds(_ duration: SimDuration) -> String {
    let hundredths = (duration.nanoseconds + 5_000) / 10_000
    let fraction = String(hundredths % 100)
    return "\(hundredths / 100).\(fraction.count == 1 ? "0" : "")\(fraction) ms"
  }
}
