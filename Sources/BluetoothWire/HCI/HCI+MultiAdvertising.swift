extension HCI {
  /// LE_Multi_Advt_Command, by which Android has further advertisers on a controller, beside the legacy commands.
  ///
  /// The commands of extended advertising cannot do that: a controller refuses them once legacy ones were used (Core
  /// v5.4, Vol 4, Part E, 3.1.1). Spec: Android, Bluetooth HCI requirements, “Multi-advertiser support”: opcode 0xFD54,
  /// then the subcommand; its answer is the status and the subcommand. AOSP's side: `ble_advertiser_hci_interface.cc`.
  package enum MultiAdvertising: Hashable, Sendable {
    /// Intervals, type, kinds of addresses, channels, filter policy. The own address comes by `randomAddress`.
    case parameters(UInt8, AdvertisingParameters)
    /// At most 31 octets.
    case data(UInt8, [UInt8])
    case scanResponse(UInt8, [UInt8])
    case randomAddress(UInt8, BluetoothAddress)
    case enable(UInt8, Bool)

    package static let opcode = Opcode(ogf: 0x3F, ocf: 0x154)

    package var command: Command { .other(Self.opcode, parameters: octets) }
  }
}

extension HCI.MultiAdvertising: FormedPDU {
  typealias Code = UInt8

  static let blanks: [Self] = [
    .parameters(0, .blank), .data(0, []), .scanResponse(0, []),
    .randomAddress(0, BluetoothAddress(kind: .random, bits: 0)),
    .enable(0, false),
  ]
  private static let forms = blanksByCode()

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .parameters(let set, let parameters):
      // Own address, kind of the peer's, the peer's: none of them is used here. The last one is the power.
      form(
        0x01,
        { least, most, kind, own, _, channels, policy, set, _ in
          var parameters = HCI.AdvertisingParameters(intervalMinimum: least, intervalMaximum: most)
          (parameters.kind, parameters.ownAddressType) = (kind, own)
          (parameters.channelMap, parameters.filterPolicy) = (channels, policy)
          return .parameters(set, parameters)
        }, parameters.intervalMinimum, parameters.intervalMaximum, parameters.kind, parameters.ownAddressType,
        Padded<13>([]), parameters.channelMap, parameters.filterPolicy, set, UInt8(0))
    case .data(let set, let data): form(0x02, { .data($1, $0.value) }, LegacyAdvertisingData(data), set)
    case .scanResponse(let set, let data): form(0x03, { .scanResponse($1, $0.value) }, LegacyAdvertisingData(data), set)
    case .randomAddress(let set, let address):
      form(0x04, { .randomAddress($1, $0.value) }, RandomAddress(address), set)
    case .enable(let set, let isOn): form(0x05, { .enable($1, $0) }, isOn, set)
    }
  }

  /// Nil: another subcommand, another length, or values that do not exist.
  package init?(_ octets: [UInt8]) {
    var reader = OctetReader(octets)
    guard let code = try? reader.u8(), let blank = Self.forms[code], let read = try? Self.read(blank, &reader),
      !reader.isStrange
    else { return nil }
    self = read
  }

  package var octets: [UInt8] {
    var octets: [UInt8] = []
    appendForm(to: &octets)
    return octets
  }

  /// The number of the advertiser; 0 is the one of the legacy commands.
  package var set: UInt8 {
    switch self {
    case .parameters(let set, _), .data(let set, _), .scanResponse(let set, _), .randomAddress(let set, _),
      .enable(let set, _):
      set
    }
  }
}

extension HCI {
  /// LE Multi-Advertising State Change Event: a connection has ended an advertiser of these commands.
  package struct MultiAdvertisingEnded: Hashable, Sendable {
    /// Every event of a vendor has it.
    package static let eventCode: UInt8 = 0xFF
    private static let subevent: UInt8 = 0x55

    package var set: UInt8
    package var connection: ConnectionHandle

    package init(set: UInt8, connection: ConnectionHandle) { (self.set, self.connection) = (set, connection) }

    /// Nil: another event of a vendor, or a shorter one.
    package init?(_ parameters: [UInt8]) {
      var reader = OctetReader(parameters)
      guard (try? reader.u8()) == Self.subevent, let set = try? reader.u8(), (try? reader.u8()) != nil,
        let connection: ConnectionHandle = try? reader.next()
      else { return nil }
      self.init(set: set, connection: connection)
    }

    /// The reason 0: a connection.
    package var event: Event {
      var parameters = [Self.subevent, set, 0]
      connection.append(to: &parameters)
      return .other(code: Self.eventCode, parameters: parameters)
    }
  }
}
