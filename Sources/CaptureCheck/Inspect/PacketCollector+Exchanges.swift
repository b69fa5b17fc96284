import BluetoothWire
import CaptureFormats
import SimKernel

/// Requests and their answers.
extension PacketCollector {
  func exchange(
    att opcode: UInt8?, _ handles: [ATT.Handle], _ link: TrafficLink, fromCentral: Bool, at instant: SimInstant
  ) {
    guard let opcode else { return }
    switch ATT.Opcode(rawValue: opcode).kind {
    case .request: ask(.request(link: link.index, fromCentral: fromCentral), link, at: instant, opcode, handles)
    case .indication:
      ask(.indication(link: link.index, fromCentral: fromCentral), link, at: instant, opcode, handles)
    case .response: answer(.request(link: link.index, fromCentral: !fromCentral), at: instant)
    case .confirmation: answer(.indication(link: link.index, fromCentral: !fromCentral), at: instant)
    case .command, .notification, .unknownCommand, .unknown: break
    }
  }

  func exchange(control opcode: UInt8, _ link: TrafficLink, fromCentral: Bool, at instant: SimInstant) {
    let asked = PendingExchanges.Key.control(link: link.index, fromCentral: !fromCentral)
    if let request = pending.request(asked),
      PendingExchanges.controlAnswers(request.opcode).contains(opcode)
        || PendingExchanges.controlRefusals.contains(opcode)
    {
      answer(asked, at: instant)
      // LL_PHY_RSP and LL_CONNECTION_PARAM_RSP are answers that are answered.
      if opcode == 0x0C { return }
    }
    if !PendingExchanges.controlAnswers(opcode).isEmpty {
      ask(.control(link: link.index, fromCentral: fromCentral), link, at: instant, opcode, [])
    }
  }

  func exchange(signal octets: ArraySlice<UInt8>, _ link: TrafficLink, fromCentral: Bool, at instant: SimInstant) {
    guard octets.count >= 2 else { return }
    let (code, identifier) = (octets.octet(at: 0), octets.octet(at: 1))
    if PendingExchanges.signalRequests.contains(code) {
      ask(
        .signal(link: link.index, fromCentral: fromCentral, identifier: identifier), link, at: instant, code, [])
    } else if PendingExchanges.signalAnswers.contains(code) {
      answer(.signal(link: link.index, fromCentral: !fromCentral, identifier: identifier), at: instant)
    }
  }

  func exchange(command opcode: UInt16, _ adapter: TrafficAdapter, at instant: SimInstant) {
    let request = PendingExchanges.Request(number: record.number, instant: instant, command: opcode)
    pending.open(.command(file: adapter.file, adapter: adapter.number, opcode: opcode), request)
    packet.request = request
  }

  func exchange(completed opcode: UInt16, _ adapter: TrafficAdapter, at instant: SimInstant) {
    answer(.command(file: adapter.file, adapter: adapter.number, opcode: opcode), at: instant)
  }

  private func ask(
    _ key: PendingExchanges.Key, _ link: TrafficLink, at instant: SimInstant, _ opcode: UInt8, _ handles: [ATT.Handle]
  ) {
    let request = PendingExchanges.Request(
      number: record.number, instant: instant, link: link.index, opcode: opcode, handles: handles)
    pending.open(key, request)
    packet.request = request
  }

  private func answer(_ key: PendingExchanges.Key, at instant: SimInstant) {
    guard let request = pending.close(key) else { return }
    packet.answer = request
    // Who follows an attribute sees the answers, which do not name it.
    for handle in request.handles where !packet.handles.contains(handle) { index(handle) }
    if isVerbose {
      let time = StatsText.duration((instant - request.instant).nanoseconds)
      add(.note, "[answers packet \(request.number), \(time) after it]")
    }
  }
}
