import Bench
import Conformance
import Foundation
import HCIPorts
import SimKernel

/// What a person asks of a live session while it runs, one line each (Docs/hci.md, “Orders”).
struct LiveOrders {
  static let help =
    "DEVICE: STEP (as in scenario files: “guest: vanish”), radio: {packet loss: 20%}, add NAME=ADDRESS,"
    + " add NAME {phone: iphone}, remove NAME, devices, status, pause, resume, speed 0.5, step 2s, stop"
  static let words = [
    "add", "remove", "capture", "devices", "status", "pause", "resume", "speed", "step", "stop", "help",
  ]

  let session: LiveSession
  /// Hands on what passes; nil: nobody can listen.
  var capture: LiveCaptureReader?

  /// Says what came of an order; “error: …” when nothing did.
  func obey(_ line: String, _ handle: LiveHandle, _ answer: @escaping LiveControl.Answer) {
    let order = line.trimmingCharacters(in: .whitespaces)
    let words = order.split(separator: " ", maxSplits: 1).map(String.init)
    if words.first == "capture" { return listen(words.dropFirst().first, handle, answer) }
    guard words.first == "add" else { return answer(obey(order, handle)) }
    guard words.count == 2 else {
      return answer("error: who comes? write for example “add watch=h4:tcp:0” or “add client-9 {phone: iphone}”")
    }
    add(words[1], handle, answer)
  }

  /// What passes follows the answer, until one of both sides has enough: `babbench extcap` is such a listener.
  private func listen(_ word: String?, _ handle: LiveHandle, _ answer: @escaping LiveControl.Answer) {
    guard let source = word.flatMap(LiveCaptureReader.Source.init) else {
      return answer("error: what passes where? write “capture air” or “capture hci”")
    }
    guard let capture else { return answer("error: the session was started with --no-capture; leave that out") }
    guard let listener = handle.listener() else { return answer("error: nobody listens") }
    answer("ok")
    capture.add(source) { listener.send($0) }
  }

  private func obey(_ order: String, _ handle: LiveHandle) -> String {
    if let colon = order.firstIndex(of: ":") {
      let name = order[..<colon].trimmingCharacters(in: .whitespaces)
      let device = session.device(named: name)
      let words = order[order.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      if device == nil, name != LiveSession.room { return "error: " + unknown(order) }
      if words.isEmpty {
        let example =
          device == nil ? "a change, such as “\(order) {packet loss: 20%}”" : "a step, such as “\(order) vanish”"
        return "error: nothing is said after “\(order)”; write \(example)"
      }
      return handle.change { act(words, device) }
    }
    let parts = order.split(separator: " ", maxSplits: 1).map(String.init)
    switch (parts.first ?? "", parts.dropFirst().first) {
    case ("help", nil): return Self.help
    case ("devices", nil): return devices(handle)
    case ("remove", let name?): return remove(name.trimmingCharacters(in: .whitespaces), handle)
    case ("status", nil): return status(handle)
    case ("pause", nil), ("resume", nil), ("speed", _), ("step", _):
      if handle.clock == .lockstep { return "error: in lockstep the hosts say when time passes" }
      return time(parts, handle)
    case ("stop", nil):
      handle.stop()
      return "ok"
    default: return "error: " + unknown(order)
    }
  }

  private func time(_ parts: [String], _ handle: LiveHandle) -> String {
    switch (parts[0], parts.dropFirst().first) {
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
    default: return "error: " + unknown(parts.joined(separator: " "))
    }
  }

  /// - Parameter device: nil: it is done to the room.
  private func act(_ words: String, _ device: Int?) -> String {
    do throws(LiveSession.Refusal) {
      if let device {
        try session.act(words, device: device, language: .shipped)
      } else {
        try session.changeRoom(words, language: .shipped)
      }
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

  private func devices(_ handle: LiveHandle) -> String {
    session.present.map { device, name in
      guard session.isExternal(device) else { return name }
      return name + (handle.place(of: device).map { " (external, \($0.address))" } ?? " (external)")
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
      return "there is no device “\(name)”; " + Suggestion.advice(for: name, in: session.present.map(\.name))
    }
    let word = order.split(separator: " ").first.map(String.init) ?? ""
    return "there is no order “\(word)”; " + Suggestion.advice(for: word, in: Self.words)
  }
}
