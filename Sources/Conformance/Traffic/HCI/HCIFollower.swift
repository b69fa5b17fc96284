import BluetoothWire
import CaptureFormats
import SimKernel

/// Follows the connections of controllers whose HCI is captured: from LE Connection Complete to Disconnection Complete,
/// or from the first data of a handle that came up before the capture did.
///
/// Spec: Core v5.4, Vol 4, Part E, 5.4 and 7.7.
final class HCIFollower {
  private let output: TrafficOutput
  private(set) var adapters: [TrafficAdapter] = []
  /// Links that are up, of all adapters.
  private var live: [TrafficLink] = []

  init(_ output: TrafficOutput) { self.output = output }

  func read(_ octets: ArraySlice<UInt8>, adapter number: UInt16, indicator: UInt8, isToHost: Bool?) {
    let adapter = adapter(number)
    switch indicator {
    case HCI.PacketIndicator.acl: readACL(octets, adapter, isToHost)
    case HCI.PacketIndicator.event: readEvent(octets, adapter)
    case HCI.PacketIndicator.command: readCommand(octets, adapter)
    default: break
    }
  }

  /// What a monitor says besides packets.
  func note(_ octets: ArraySlice<UInt8>, adapter number: UInt16, opcode: UInt16, _ body: CaptureBody) {
    output.emit(.asides) { .aside(body, octets) }
  }

  private func adapter(_ number: UInt16) -> TrafficAdapter {
    let file = output.place.file
    for adapter in adapters where adapter.file == file && adapter.number == number { return adapter }
    let adapter = TrafficAdapter(file: file, number: number)
    adapters.append(adapter)
    return adapter
  }

  // MARK: Data

  private func readACL(_ octets: ArraySlice<UInt8>, _ adapter: TrafficAdapter, _ isToHost: Bool?) {
    guard octets.count >= 4 else { return }
    let start = octets.startIndex
    let field = UInt16(octets[start]) | UInt16(octets[start + 1]) << 8
    let length = Int(octets[start + 2]) | Int(octets[start + 3]) << 8
    let handle = field & 0x0FFF
    let boundary = UInt8(field >> 12 & 3)
    let data = octets[(start + 4)...]
    let link = link(handle, adapter)
    let fromCentral = isFromCentral(link, isToHost: isToHost ?? true)
    output.emit(.fragments) {
      .fragment(link, fromCentral: fromCentral, .acl(boundary: boundary, broadcast: UInt8(field >> 14)), data)
    }
    if data.count != length { return output.gap(link, fromCentral: fromCentral, .snapped) }
    let outcome: FrameAssembly.Outcome
    if boundary == 1 {
      outcome = fromCentral ? link.fromCentral.proceed(data) : link.fromPeripheral.proceed(data)
    } else {
      var unfinished = false
      outcome =
        fromCentral
        ? link.fromCentral.start(data, unfinished: &unfinished)
        : link.fromPeripheral.start(data, unfinished: &unfinished)
      if unfinished { output.gap(link, fromCentral: fromCentral, .frameUnfinished) }
    }
    ChannelFollower.deliver(outcome, link, fromCentral: fromCentral, to: output)
  }

  private func link(_ handle: UInt16, _ adapter: TrafficAdapter) -> TrafficLink {
    for link in live where link.handle == handle && link.adapter === adapter { return link }
    return open(handle, adapter, complete: nil)
  }

  /// Without a role the captured device is taken for the central, until ATT tells otherwise.
  private func isFromCentral(_ link: TrafficLink, isToHost: Bool) -> Bool {
    link.viewpoint == .host(.peripheral) ? isToHost : !isToHost
  }

  // MARK: Events and commands

  private func readEvent(_ octets: ArraySlice<UInt8>, _ adapter: TrafficAdapter) {
    guard octets.count >= 2 else { return }
    let start = octets.startIndex
    let code = octets[start]
    output.emit(.events) { .event(adapter: adapter, code: code, octets[(start + 2)...]) }
    switch code {
    case 0x05, 0x0E, 0x3E: break
    default: return
    }
    guard let event = try? HCI.Event(decoding: [HCI.PacketIndicator.event] + octets) else { return }
    switch event {
    case .leConnectionComplete(let complete) where complete.status == .success:
      _ = open(complete.handle, adapter, complete: complete)
    case .disconnectionComplete(let handle, .success, let reason):
      guard let index = live.firstIndex(where: { $0.handle == handle && $0.adapter === adapter }) else { return }
      output.close(live.remove(at: index), reason: reason)
    default: break
    }
  }

  private func readCommand(_ octets: ArraySlice<UInt8>, _ adapter: TrafficAdapter) {
    guard octets.count >= 3 else { return }
    let start = octets.startIndex
    let opcode = HCI.Opcode(rawValue: UInt16(octets[start]) | UInt16(octets[start + 1]) << 8)
    output.emit(.commands) { .command(adapter: adapter, opcode, octets[(start + 3)...]) }
  }

  private func open(
    _ handle: UInt16, _ adapter: TrafficAdapter, complete: HCI.ConnectionComplete?
  ) -> TrafficLink {
    if let index = live.firstIndex(where: { $0.handle == handle && $0.adapter === adapter }) {
      output.close(live.remove(at: index), reason: nil)
    }
    let own = adapter.addresses.last
    let link = output.open { index in
      let link = TrafficLink(
        index: index, file: adapter.file, handle: handle, adapter: adapter, accessAddress: nil,
        viewpoint: complete.map { .host($0.role) } ?? .hostOfUnknownRole,
        central: complete?.role == .peripheral ? complete?.peer : own,
        peripheral: complete?.role == .peripheral ? own : complete?.peer, isFromStart: complete != nil,
        openedAt: output.instant, openedBy: output.place)
      link.interval = complete?.interval
      link.peripheralLatency = complete?.peripheralLatency
      link.supervisionTimeout = complete?.supervisionTimeout
      return link
    }
    live.append(link)
    return link
  }
}
