import BluetoothWire
import LinkCrypto
import SimKernel

/// The filter accept list (Vol 4, Part E, 7.8.14 … 7.8.17) and the resolving list (7.8.38 … 7.8.45, 7.8.77).
extension Controller {
  static let filterAcceptListSize = 16

  func executeAcceptList(_ command: HCI.Command) {
    if case .leReadFilterAcceptListSize = command { return complete(command, [UInt8(filterAcceptListSize)]) }
    guard !isAcceptListInUse else { return complete(command, status: .commandDisallowed) }
    switch command {
    case .leClearFilterAcceptList:
      filterAcceptList.removeAll()
      complete(command)
    case .leAddDeviceToFilterAcceptList(let address):
      if filterAcceptList.contains(address) {
        complete(command)
      } else if filterAcceptList.count == filterAcceptListSize {
        complete(command, status: .memoryCapacityExceeded)
      } else {
        filterAcceptList.append(address)
        complete(command)
      }
    case .leRemoveDeviceFromFilterAcceptList(let address):
      filterAcceptList.removeAll { $0 == address }
      complete(command)
    default: refuse(command, .unknownCommand)
    }
  }

  /// While a filter policy of something that is going on asks for the list (7.8.15).
  private var isAcceptListInUse: Bool {
    radio.advertisers.contains { $0.isEnabled && $0.setup.filterPolicy != 0 }
      || radio.scanner.isScanning && radio.scanner.setup.filterPolicy & 1 == 1
      || radio.scanner.initiation.map { $0.peer == nil } ?? false
  }

  private var isOnAir: Bool {
    radio.scanner.isScanning || radio.scanner.initiation != nil || radio.advertisers.contains(where: \.isEnabled)
      || synchronising.pending != nil
  }

  func execute(_ command: HCI.PrivacyCommand) {
    let whole = HCI.Command.privacy(command)
    switch command {
    case .leReadResolvingListSize: return complete(whole, [UInt8(resolvingListSize)])
    case .leReadPeerResolvableAddress(let peer):
      guard let index = resolvingList.index(of: peer) else {
        return complete(whole, status: .unknownConnectionIdentifier)
      }
      return complete(whole, (resolvingList.entries[index].peer ?? .none).octets)
    case .leReadLocalResolvableAddress(let peer):
      guard let index = resolvingList.index(of: peer) else {
        return complete(whole, status: .unknownConnectionIdentifier)
      }
      return complete(whole, (resolvingList.entries[index].local ?? .none).octets)
    case .leSetResolvablePrivateAddressTimeout(let seconds):
      guard (1...0x0E10).contains(seconds) else { return complete(whole, status: .invalidParameters) }
      resolvingList.timeout = seconds
      return complete(whole)
    case .leSetAddressResolutionEnable(let enable):
      guard !isOnAir else { return complete(whole, status: .commandDisallowed) }
      resolvingList.isEnabled = enable
      return complete(whole)
    default: break
    }
    guard !resolvingList.isEnabled || !isOnAir else { return complete(whole, status: .commandDisallowed) }
    switch command {
    case .leAddDeviceToResolvingList(let entry):
      complete(whole, unless: resolvingList.add(entry, capacity: resolvingListSize))
    case .leRemoveDeviceFromResolvingList(let peer):
      guard let index = resolvingList.index(of: peer) else {
        return complete(whole, status: .unknownConnectionIdentifier)
      }
      resolvingList.entries.remove(at: index)
      complete(whole)
    case .leClearResolvingList:
      resolvingList.entries.removeAll()
      complete(whole)
    case .leSetPrivacyMode(let peer, let mode):
      guard let index = resolvingList.index(of: peer) else {
        return complete(whole, status: .unknownConnectionIdentifier)
      }
      resolvingList.entries[index].usesDevicePrivacyMode = mode == .device
      complete(whole)
    default: refuse(whole, .unknownCommand)
    }
  }
}

extension ResolvingList {
  /// Refuses a second entry for a peer, or with a key that another has (7.8.38).
  fileprivate mutating func add(_ entry: HCI.ResolvingListEntry, capacity: Int) -> HCI.ErrorCode? {
    let new = Entry(
      identity: entry.peer, peerKey: Self.key(entry.peerIRK), localKey: Self.key(entry.localIRK))
    if entries.contains(where: { $0.identity == new.identity || $0.peerKey != nil && $0.peerKey == new.peerKey }) {
      return .invalidParameters
    }
    if entries.count == capacity { return .memoryCapacityExceeded }
    entries.append(new)
    return nil
  }

  /// HCI has keys least significant octet first; zeros stand for none.
  private static func key(_ octets: [UInt8]) -> ResolvableAddress.Key? {
    octets.count == 16 && octets.contains { $0 != 0 } ? octets.reversed() : nil
  }
}
