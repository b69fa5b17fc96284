import AppSeam
package import Bench
import BluetoothWire
import Platform
import SimKernel

/// Records of the trace in words, for charts and for "first diverging event".
package struct ChartText {
  let words: ChartWords
  private let network: NetworkWords
  private let devices: [TraceHeader.Device]

  package init(words: ChartWords, _ header: TraceHeader) {
    self.words = words
    network = NetworkWords(names: header.devices.map(\.name))
    devices = header.devices
  }

  /// Instant, device and what happened, in one line; the record's number is that of `trace.jsonl`.
  func event(_ record: TraceRecord, _ header: TraceHeader) -> String {
    "\(record.instant) s, \(header.name(of: record.device)): \(text(record.event)) (record \(record.sequence))"
  }

  /// What happened, after the name of the device that it happened to.
  package func text(_ event: TraceEvent) -> String {
    switch event {
    case .radio: "a radio event"
    case .network(let event): "its network: " + network.of(event)
    case .input(.valueReceived(let link, let characteristic, let octets)):
      "received \(value(octets)) of \(characteristic) on link \(link.rawValue)"
    case .input(.valueRead(let link, let characteristic, let octets)):
      "read \(octets.map(value) ?? "nothing") of \(characteristic) on link \(link.rawValue)"
    case .input(let input): EventWords.of(input)
    case .effect(.notify(let link, let characteristic, let octets)):
      "notified \(value(octets)) of \(characteristic) on link \(link.rawValue)"
    case .effect(.write(let link, let characteristic, let octets)),
      .effect(.writeWithoutResponse(let link, let characteristic, let octets)):
      "wrote \(value(octets)) to \(characteristic) on link \(link.rawValue)"
    case .effect(let effect): EventWords.of(effect)
    case .report(let report): report.among(CallWord.self).map(of) ?? words.words(report)
    case .fault(.network(let fault)): "the bench: " + network.of(fault)
    case .fault(let fault): "the bench: " + EventWords.of(fault)
    case .platform(let remark): "its platform: \(remark.kind.rawValue), \(remark.text)"
    case .step(let text): "step: \(text)"
    case .expectation(let text, let holds, let detail, _):
      "check \(holds.map { $0 ? "held" : "failed" } ?? "unknown"): \(text) \(detail)"
    }
  }

  private func of(_ word: CallWord) -> String {
    let peer = word.peer.map { address in devices.first { $0.address.description == address }?.name ?? address }
    let about = peer.map { ", about \($0)" } ?? ""
    return switch word {
    case .call: "calls \(word.text)\(about)"
    case .callback: "is told \(word.text)\(about)"
    case .remark: word.text
    }
  }

  /// `fragment 2 of 3 of packet 7, 20 octets`.
  private func value(_ octets: [UInt8]) -> String {
    let count = CountedNoun.text(octets.count, "octet")
    guard let part = words.fragment(octets) else { return count }
    return "fragment \(part.index + 1) of \(part.count) of packet \(part.packetID), \(count)"
  }

  /// What the platform or the bench did to the device, where a reader of the chart wants to know; nil otherwise.
  func action(_ event: TraceEvent, isUnderTest: Bool) -> String? {
    switch event {
    // The steps of the procedure say what its user does.
    case .input(.user): nil
    case .input(.connectFailed(_, let reason)): "connection attempt failed: " + EventWords.of(reason)
    case .input(.launched): nil
    case .input(.radioPower(let isOn)): isOn ? "adapter on" : "adapter off"
    case .input(.attMTU(_, let attMTU)) where isUnderTest: "ATT_MTU \(attMTU)"
    case .input(.subscribed(_, let characteristic, let isOn)) where isUnderTest:
      "\(characteristic) \(isOn ? "subscribed" : "unsubscribed")"
    case .input(.network(.listenerFailed)), .input(.network(.waiting)), .input(.network(.failed)): text(event)
    case .input(.network(.incoming)), .input(.network(.ready)), .input(.network(.pathChanged)): text(event)
    case .effect(.network(.connect)), .effect(.network(.cancel)), .effect(.network(.finish)): text(event)
    case .effect(.network(.listen)), .effect(.network(.stopListening)): text(event)
    case .effect(.network(.browse)), .effect(.network(.stopBrowsing)): text(event)
    case .effect(.advertise): "advertises"
    case .effect(.stopAdvertising): "stops advertising"
    case .effect(.scan): "scans"
    case .effect(.stopScanning): "stops scanning"
    case .effect(.disconnect(let link)): "ends link \(link.rawValue)"
    case .effect(.read(_, let characteristic)): "reads \(characteristic)"
    case .fault(.network(let fault)): network.of(fault)
    case .fault(let fault): EventWords.of(fault)
    case .report(let report) where isUnderTest: words.shown(report)
    default: nil
    }
  }
}
