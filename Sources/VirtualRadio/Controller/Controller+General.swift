import BluetoothWire
import SimKernel

/// Masks, what the controller says of itself, and defaults for links to come (Vol 4, Part E, 7.3, 7.4, 7.8).
extension Controller {
  func executeGeneral(_ command: HCI.Command) {
    switch command {
    case .reset:
      reset()
      complete(command)
    case .setEventMask(let mask):
      masks.page1 = mask
      complete(command)
    case .leSetEventMask(let mask):
      masks.le = mask
      complete(command)
    case .readBDADDR: complete(command, publicAddress.octets)
    case .readLocalVersionInformation:
      complete(command, versionInformation)
    case .readLocalSupportedCommands: complete(command, supportedCommands)
    case .readLocalSupportedFeatures: complete(command, Self.lmpFeatures)
    case .leReadBufferSize:
      complete(command, bufferSize)
    case .leReadLocalSupportedFeatures: complete(command, hostFeatures)
    case .leSetRandomAddress(let address): setRandomAddress(command, address)
    case .leReadSuggestedDefaultDataLength:
      complete(command, little(suggested.octets) + little(suggested.time))
    case .leWriteSuggestedDefaultDataLength(let octets, let time):
      guard (27...251).contains(octets), (328...RadioWorld.longestCoded).contains(time) else {
        return complete(command, status: .invalidParameters)
      }
      suggested = (octets, time)
      complete(command)
    case .leReadMaximumDataLength:
      let octets = radio.configuration.maximumDataLength
      let time = RadioWorld.time(forOctets: octets, coded: radio.configuration.supportsCoded)
      let pair = little(UInt16(octets)) + little(time)
      complete(command, pair + pair)
    case .leSetDefaultPHY(let tx, let rx): setDefaultPHY(command, tx, rx)
    case .leSetHostChannelClassification(let map):
      guard map >> 37 == 0, map.nonzeroBitCount >= 2 else { return complete(command, status: .invalidParameters) }
      hostChannelMap = map
      for connection in radio.links {
        if connection.central.radio === radio {
          world.useChannels(connection.assessment.good(at: world.timeline.now), connection)
        } else if connection.reports != nil, connection.isParked {
          world.unpark(connection)
        }
      }
      complete(command)
    case .other(.readLocalSupportedCodecs, let parameters):
      complete(command, status: parameters.isEmpty ? .success : .invalidParameters, [0, 0])
    default: executeHostSetting(command)
    }
  }

  func execute(_ command: HCI.GeneralCommand) {
    let whole = HCI.Command.general(command)
    switch command {
    case .setEventMaskPage2(let mask):
      masks.page2 = mask
      complete(whole)
    case .readLocalExtendedFeatures(let page):
      guard page == 0 else { return complete(whole, status: .invalidParameters, [page, 0]) }
      complete(whole, [0, 0] + Self.lmpFeatures)
    case .readBufferSize:
      // Nothing of BR/EDR is there, but zero is no value for these fields (7.4.5): the buffers of LE.
      complete(
        whole,
        little(UInt16(radio.configuration.aclBufferLength)) + [0] + little(UInt16(radio.configuration.aclBuffers))
          + little(0))
    case .leReadAdvertisingPhysicalChannelTxPower: complete(whole, [UInt8(bitPattern: transmitPower)])
    case .leReadTransmitPower:
      complete(whole, [UInt8(bitPattern: transmitPower), UInt8(bitPattern: transmitPower)])
    case .leModifySleepClockAccuracy(let action): modifyAccuracy(whole, action)
    case .leSetHostFeature(let bit, let value): setHostFeature(whole, bit: bit, value: value)
    case .leSetDefaultSubrate(let wish): setDefaultSubrate(whole, wish)
    case .leReadSupportedStates: complete(whole, little(Self.supportedStates, octets: 8))
    default:
      guard let handle = whole.connectionHandle else { return executeHostFlow(command) }
      executeOnLink(whole, handle)
    }
  }

  /// BR/EDR not supported, LE supported: byte 4 of page 0 (Vol 2, Part C, 3.3). There is no further page.
  static let lmpFeatures: [UInt8] = [0, 0, 0, 0, 0x60, 0, 0, 0]

  /// LE features that a host is told and a peer is not: LL privacy, extended scanner filter policies, extended and
  /// periodic advertising (Vol 6, Part B, 4.6).
  static let hostVisibleFeatures: UInt64 = 1 << 6 | 1 << 7 | 1 << 12 | 1 << 13

  /// Every combination of states that the table has (Vol 4, Part E, 7.8.27).
  static let supportedStates: UInt64 = 1 << 42 - 1

  /// dBm, at the antenna.
  var transmitPower: Int8 {
    Int8(clamping: max(-127, min(20, (radio.configuration.transmitPower + hostSettings.transmitGain * 10) / 100)))
  }

  /// The device's own address, not one that its host draws.
  var address: BluetoothAddress { writtenAddress ?? radio.configuration.address }

  /// All zeros when the device has none (7.4.6).
  var publicAddress: BluetoothAddress {
    address.kind == .publicDevice ? address : .none
  }

  /// Not while an address may be in use (7.8.4).
  private func setRandomAddress(_ command: HCI.Command, _ address: BluetoothAddress) {
    let isAdvertising = radio.advertisers.contains { $0.isEnabled && $0.setHandle == nil }
    if isAdvertising || radio.scanner.isScanning || radio.scanner.initiation != nil {
      return complete(command, status: .commandDisallowed)
    }
    randomAddress = address
    complete(command)
  }

  /// Whether an own address of a type is there; for type 3 also by the resolving list (7.8.9, 7.8.11, 7.8.12).
  func hasAddress(_ type: HCI.OwnAddressType, random: BluetoothAddress?, peer: BluetoothAddress?) -> Bool {
    if type.isResolvable, let peer, let index = resolvingList.index(of: peer),
      resolvingList.entries[index].localKey != nil
    {
      return true
    }
    return type.fallback == .random ? random != nil : address.kind == .publicDevice
  }
}
