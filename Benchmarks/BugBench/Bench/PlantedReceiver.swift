import AppSeam
import Bench
import BluetoothWire
import InPlaceFuzz
import SimKernel
import VirtualRadio

/// What a device gets, from the air up to its app.
enum Reception {
  /// A new PDU of a connection that is not empty: the LLID, and its payload.
  case data(llid: UInt8, payload: [UInt8])
  /// A PDU of the advertising channels for it, with its header.
  case advertising([UInt8])
  /// What its controller hands to its host.
  case acl(HCI.ACLData)
  /// A whole L2CAP frame, with its header.
  case frame([UInt8])
  /// A whole L2CAP frame that its host sends.
  case sent([UInt8])
  /// A PDU of a connection, by its access address, that it gets (and has not got before) or that it sends and that
  /// arrives: the LLID, and its payload.
  case exchanged(link: UInt32, isSent: Bool, llid: UInt8, payload: [UInt8])
}

/// A flawed receiver. It breaks by ending the process, by never coming to an end, or by growing.
struct Flaw {
  /// Whether the device stops: its controller is reset, and nobody above it knows.
  let stops: (Reception) -> Bool

  init(_ stops: @escaping (Reception) -> Bool) { self.stops = stops }
}

/// Makes a flaw for one world.
typealias FlawMaker = @Sendable () -> Flaw

/// Reads in the trace what one device gets, and hands it to a flaw.
final class PlantedReceiver: PlantedDefect {
  private let device: Int
  private let flaw: Flaw
  private var send: (TappedUnit) -> Void = { _ in }
  private var address = [UInt8]()
  private var received = FrameAssembly()
  private var sent = FrameAssembly()
  /// The sequence number of the newest PDU of each connection, by its access address.
  private var newest: [UInt32: Bool] = [:]
  private var isStopped = false

  let wantsAir = true
  let wantsHCI = true

  init(device: Int, flaw: Flaw) {
    self.device = device
    self.flaw = flaw
  }

  func plant(sending: @escaping (TappedUnit) -> Void) { send = sending }

  func begin(_ header: TraceHeader) { address = header.devices[device].address.octets }

  func read(_ record: TraceRecord) {
    guard !isStopped, case .radio(let event) = record.event else { return }
    switch event {
    case .air(let pdu): read(pdu)
    case .aclToHost(let data) where record.device == device:
      take(.acl(data))
      if let frame = received.take(data) { take(.frame(frame)) }
    case .aclToController(let data) where record.device == device:
      if let frame = sent.take(data) { take(.sent(frame)) }
    default: break
    }
  }

  private func read(_ pdu: AirPDU) {
    guard pdu.fate == .received, pdu.pdu.count >= 2 else { return }
    if pdu.accessAddress == LL.advertisingAccessAddress {
      // AdvA comes after InitA or ScanA in the PDUs that are for one advertiser (Vol 6, Part B, 2.3).
      if pdu.pdu.count >= 14, Array(pdu.pdu[8..<14]) == address { take(.advertising(pdu.pdu)) }
      return
    }
    if pdu.transmitter == device {
      exchange(pdu, isSent: true)
      return
    }
    guard pdu.receiver == device else { return }
    let number = pdu.pdu[0] & 0x08 != 0
    if newest[pdu.accessAddress] == number { return }
    newest[pdu.accessAddress] = number
    let llid = pdu.pdu[0] & 0b11
    if llid != 1 || pdu.pdu.count > 2 { take(.data(llid: llid, payload: Array(pdu.pdu[2...]))) }
    exchange(pdu, isSent: false)
  }

  private func exchange(_ pdu: AirPDU, isSent: Bool) {
    take(
      .exchanged(
        link: pdu.accessAddress, isSent: isSent, llid: pdu.pdu[0] & 0b11, payload: Array(pdu.pdu[2...])))
  }

  private func take(_ reception: Reception) {
    guard !isStopped, flaw.stops(reception) else { return }
    isStopped = true
    send(TappedUnit(device: device, route: .controller, octets: HCI.Command.reset.h4Octets))
  }
}

/// Puts ACL data packets of all links together to L2CAP frames, as far as they are well-formed.
private struct FrameAssembly {
  private var partials: [HCI.ConnectionHandle: [UInt8]] = [:]

  mutating func take(_ data: HCI.ACLData) -> [UInt8]? {
    var octets = data.octets
    if data.boundary == .continuing { octets = (partials[data.handle] ?? []) + octets }
    partials[data.handle] = nil
    guard octets.count >= L2CAP.headerLength else {
      partials[data.handle] = octets
      return nil
    }
    let length = L2CAP.headerLength + (Int(octets[0]) | Int(octets[1]) << 8)
    if octets.count < length, length <= 2_048 { partials[data.handle] = octets }
    return octets.count == length ? octets : nil
  }
}
