import Bench
import Foundation
import HCIPorts
import SimKernel

/// What a person asks of a live session while it runs, one line each (Docs/hci.md, “Orders”).
struct LiveOrders {
  static let help =
    "DEVICE: STEP (as in scenario files: “guest: vanish”), devices, status, pause, resume, speed 0.5, step 2s, stop"
  private static let words = ["devices", "status", "pause", "resume", "speed", "step", "stop", "help"]

  let session: LiveSession
  let scenario: Scenario

  /// - Returns: what came of it; “error: …” when nothing did.
  func obey(_ line: String, _ handle: LiveHandle) -> String {
    let order = line.trimmingCharacters(in: .whitespaces)
    if let colon = order.firstIndex(of: ":"), let device = device(order[..<colon]) {
      let words = order[order.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      if words.isEmpty { return "error: nothing is said after “\(order)”; write a step, such as “\(order) vanish”" }
      return handle.change { act(words, device) }
    }
    let parts = order.split(separator: " ", maxSplits: 1).map(String.init)
    switch (parts.first ?? "", parts.dropFirst().first) {
    case ("help", nil): return Self.help
    case ("devices", nil): return devices
    case ("status", nil): return status(handle)
    case ("pause", nil): return set(rate: 0, handle)
    case ("resume", nil): return set(rate: 1, handle)
    case ("speed", let text?):
      guard let rate = Double(text), rate.isFinite, (0.001...1_000).contains(rate) else {
        return "error: “\(text)” is no speed; write 0.001 to 1000, for example “speed 0.5”"
      }
      return set(rate: rate, handle)
    case ("step", let text?):
      guard let span = SimDuration(scenarioText: text), span > .zero, span <= .seconds(3_600) else {
        return "error: “\(text)” is no span; write for example “step 500ms”, at most 1h"
      }
      guard handle.rate == 0 else { return "error: time passes by itself; write “pause” first" }
      handle.step(by: span)
      return status(handle)
    case ("stop", nil):
      handle.stop()
      return "ok"
    default: return "error: " + unknown(order)
    }
  }

  private func device(_ name: some StringProtocol) -> Int? {
    let name = name.trimmingCharacters(in: .whitespaces)
    return scenario.devices.firstIndex { $0.name == name }
  }

  private func act(_ words: String, _ device: Int) -> String {
    do throws(LiveSession.Refusal) {
      try session.act(words, device: device, language: .shipped)
      return "ok at \(session.now) s"
    } catch {
      return "error: \(error)"
    }
  }

  private func set(rate: Double, _ handle: LiveHandle) -> String {
    guard handle.status.now != nil else { return "error: time has not begun" }
    handle.set(rate: rate)
    return status(handle)
  }

  private var devices: String {
    scenario.devices.indices.map { index in
      scenario.devices[index].name + (session.isExternal(index) ? " (external)" : "")
    }.joined(separator: ", ")
  }

  private func status(_ handle: LiveHandle) -> String {
    let status = handle.status
    guard let now = status.now else { return "time has not begun" }
    let speed = handle.rate == 0 ? "time stands" : handle.rate == 1 ? "real time" : "speed \(handle.rate)"
    return "\(now) s, \(speed), \(status.takenSeats) of \(CountedNoun.text(status.seats, "port", "ports")) connected,"
      + " \(status.packetsIn) packets in, \(status.packetsOut) out"
  }

  private func unknown(_ order: String) -> String {
    if let colon = order.firstIndex(of: ":") {
      let name = String(order[..<colon])
      return "there is no device “\(name)”; " + Suggestion.advice(for: name, in: scenario.devices.map(\.name))
    }
    let word = order.split(separator: " ").first.map(String.init) ?? ""
    return "there is no order “\(word)”; " + Suggestion.advice(for: word, in: Self.words)
  }
}
