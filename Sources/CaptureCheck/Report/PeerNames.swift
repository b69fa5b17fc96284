import BluetoothWire
import SimKernel

/// Collects what devices call themselves: Local Name in advertising data (Supplement to the Core Specification, Part A,
/// 1.2) and the GATT Device Name (Core v5.4, Vol 3, Part C, 12.1). The GATT name counts where both are known.
final class PeerNames: TrafficObserver {
  /// Advertisers whose name is remembered.
  private static let addressLimit = 4_096
  private static let characterLimit = 40
  private static let deviceName: UInt16 = 0x2A00

  /// What the answer to a request says, as far as it is a name.
  private enum Asked { case other, value, valueByType }

  private var advertised: [BluetoothAddress: String] = [:]
  /// GATT names, for other links of the same device.
  private var read: [BluetoothAddress: String] = [:]
  /// Addresses whose name is complete.
  private var complete: Set<BluetoothAddress> = []
  /// By the link's index, first the name of the central, then that of the peripheral.
  private var ofLinks: [Int: PerSide<String?>] = [:]
  /// What each end asked for last.
  private var asked = PerLink(PerSide(Asked.other))

  let interests: TrafficEvent.Interests = [.links, .att, .advertisements]

  func observe(_ event: TrafficEvent) {
    guard case .advertisement(let advertisement) = event.kind, !complete.contains(advertisement.address) else { return }
    guard let name = Self.localName(advertisement.data) else { return }
    guard advertised.count < Self.addressLimit || advertised[advertisement.address] != nil else { return }
    if name.isComplete { complete.insert(advertisement.address) }
    advertised[advertisement.address] = name.text
  }

  func observe(att pdu: TrafficPDU) {
    guard let opcode = pdu.octets.first else { return }
    switch opcode {
    case 0x08 where pdu.count == 7:
      asked[pdu.link][isCentral: pdu.fromCentral] = pdu.word(at: 5) == Self.deviceName ? .valueByType : .other
    case 0x0A where pdu.count == 3:
      let map = pdu.link.attributes(ofCentral: !pdu.fromCentral)
      let isName = map.characteristic(value: pdu.word(at: 1))?.uuid == BluetoothUUID(Self.deviceName)
      asked[pdu.link][isCentral: pdu.fromCentral] = isName ? .value : .other
    // Length of each pair, then handle and value.
    case 0x09 where asked[pdu.link][isCentral: !pdu.fromCentral] == .valueByType && pdu.count > 4:
      note(pdu, pdu.octets.dropFirst(4).prefix(max(0, Int(pdu.octet(at: 1)) - 2)))
    case 0x0B where asked[pdu.link][isCentral: !pdu.fromCentral] == .value:
      note(pdu, pdu.octets.dropFirst(1))
    case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20:
      asked[pdu.link][isCentral: pdu.fromCentral] = .other
    default: break
    }
  }

  /// What the device at the other end of the captured one is called; on the air the peripheral.
  func name(_ link: TrafficLink) -> String? {
    let isCentral = link.viewpoint == .host(.peripheral)
    if let names = ofLinks[link.index], let name = isCentral ? names.central : names.peripheral { return name }
    let addresses = isCentral ? [link.central, link.centralPrivate] : [link.peripheral, link.peripheralPrivate]
    return name(of: addresses.compactMap(\.self))
  }

  /// What a device is called that uses one of these addresses.
  func name(of addresses: [BluetoothAddress]) -> String? {
    addresses.lazy.compactMap { self.read[$0] }.first ?? addresses.lazy.compactMap { self.advertised[$0] }.first
  }

  private func note(_ pdu: TrafficPDU, _ octets: ArraySlice<UInt8>) {
    asked[pdu.link][isCentral: !pdu.fromCentral] = .other
    guard let text = Self.text(octets), pdu.link.index < TrafficLimits.links else { return }
    if let address = pdu.fromCentral ? pdu.link.central : pdu.link.peripheral, read.count < Self.addressLimit {
      read[address] = text
    }
    ofLinks[pdu.link.index, default: PerSide(nil)][isCentral: pdu.fromCentral] = text
  }

  /// The first complete name among AD structures, else a shortened one.
  private static func localName(_ data: ArraySlice<UInt8>) -> (text: String, isComplete: Bool)? {
    var shortened: String?
    for (type, data) in ADFields.structures(data) {
      switch type {
      case 0x09: if let text = text(data) { return (text, true) }
      case 0x08: shortened = text(data)
      default: break
      }
    }
    return shortened.map { ($0, false) }
  }

  private static func text(_ octets: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self).trimmed
    return text.isEmpty ? nil : String(text.prefix(characterLimit))
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
