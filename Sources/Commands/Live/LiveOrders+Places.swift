import Bench
import HCIPorts
import SimKernel

/// Devices that come and leave while a session runs.
extension LiveOrders {
  /// `NAME=ADDRESS [WORDS]`: a controller for an external host; `NAME [WORDS]`: a device with one of our apps.
  func add(_ text: String, _ handle: LiveHandle, _ answer: @escaping LiveControl.Answer) {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    let words = parts.count > 1 ? parts[1] : ""
    guard handle.status.now != nil else { return answer("error: time has not begun") }
    guard let equals = parts[0].firstIndex(of: "=") else {
      return answer(
        handle.change { admit(.init(name: parts[0], words: words, isExternal: false)) })
    }
    let arrival = SessionRecording.Arrival(name: String(parts[0][..<equals]), words: words, isExternal: true)
    do throws(PortError) {
      let address = try PortAddress(parsing: String(parts[0][parts[0].index(after: equals)...]))
      if let refusal = session.refusal(arrival, language: .shipped) { return answer("error: \(refusal)") }
      let device = session.nextPlace
      handle.open(PortConfiguration(device: device, name: arrival.name, partner: .host, address: address)) { result in
        answer(opened(result, arrival, device, handle))
      }
    } catch {
      answer("error: \(error)")
    }
  }

  private func opened(
    _ result: Result<OpenPort, PortError>, _ arrival: SessionRecording.Arrival, _ device: Int, _ handle: LiveHandle
  ) -> String {
    let port: OpenPort
    switch result {
    case .success(let open): port = open
    case .failure(let error): return "error: \(error)"
    }
    let said = handle.change {
      // Another one may have come while the port was opened.
      session.nextPlace == device ? admit(arrival) : "error: another device came first; give the order again"
    }
    if said.hasPrefix("error: ") {
      handle.closePort(of: device)
      return said
    }
    return said + ", " + LivePrinter.line(of: port)
  }

  private func admit(_ arrival: SessionRecording.Arrival) -> String {
    do throws(LiveSession.Refusal) {
      try session.admit(arrival, language: .shipped)
      return "ok at \(session.now) s"
    } catch {
      return "error: \(error)"
    }
  }

  /// A device leaves for good.
  func remove(_ name: String, _ handle: LiveHandle) -> String {
    guard let device = session.device(named: name) else {
      return "error: there is no device “\(name)”; " + Suggestion.advice(for: name, in: session.present.map(\.name))
    }
    return handle.change {
      do throws(LiveSession.Refusal) {
        try session.dismiss(name)
        handle.closePort(of: device)
        return "ok at \(session.now) s"
      } catch {
        return "error: \(error)"
      }
    }
  }
}
