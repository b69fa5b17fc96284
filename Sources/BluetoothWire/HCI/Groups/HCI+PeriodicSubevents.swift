extension HCI {
  /// When the subevents of a train and the slots for responses are, as events and ACAD tell (Core v5.4, Vol 4, Part E,
  /// 7.7.65.14; Vol 6, Part B, 4.4.2.12). All zeros: an ordinary train.
  public struct SubeventTiming: Hashable, Sendable {
    /// Subevents of an event, 1 … 128; 0: an ordinary train.
    public var count: UInt8 = 0
    /// From the start of a subevent to that of the next one, units of 1.25 ms, 6 … 255.
    public var interval: UInt8 = 0
    /// From the start of a subevent to its first response slot, units of 1.25 ms, 1 … 254; 0: there are no slots.
    public var slotDelay: UInt8 = 0
    /// From the start of a slot to that of the next one, units of 0.125 ms, 2 … 255; 0: there are no slots.
    public var slotSpacing: UInt8 = 0

    public init() {}

    public init(count: UInt8, interval: UInt8, slotDelay: UInt8 = 0, slotSpacing: UInt8 = 0) {
      (self.count, self.interval, self.slotDelay, self.slotSpacing) = (count, interval, slotDelay, slotSpacing)
    }
  }

  /// What `HCI_LE_Set_Periodic_Advertising_Parameters` [v2] has after the parameters of [v1] (Core v5.4, Vol 4, Part E,
  /// 7.8.61).
  public struct SubeventParameters: Hashable, Sendable {
    /// Without subevents the rest does not count.
    public var timing: SubeventTiming
    /// Response slots of a subevent.
    public var slots: UInt8

    public init(timing: SubeventTiming, slots: UInt8) {
      self.timing = timing
      self.slots = slots
    }
  }

  /// What is sent in one subevent, and for which responses its advertiser listens: an entry of
  /// `HCI_LE_Set_Periodic_Advertising_Subevent_Data` (Core v5.4, Vol 4, Part E, 7.8.125).
  public struct SubeventData: Hashable, Sendable {
    /// 0 … 127.
    public var subevent: UInt8
    public var firstSlot: UInt8
    public var slots: UInt8
    /// At most 249 octets, which is what a command has room for.
    public var data: [UInt8]

    public init(subevent: UInt8, firstSlot: UInt8 = 0, slots: UInt8 = 0, data: [UInt8]) {
      (self.subevent, self.firstSlot, self.slots, self.data) = (subevent, firstSlot, slots, data)
    }
  }

  /// `HCI_LE_Set_Periodic_Advertising_Response_Data` (Core v5.4, Vol 4, Part E, 7.8.126).
  public struct SubeventAnswer: Hashable, Sendable {
    public var handle: SyncHandle
    /// `paEventCounter` and subevent of the PDU that is answered.
    public var requestEvent: UInt16
    public var requestSubevent: UInt8
    /// Where the answer goes: into the first subevent of that number from the request on.
    public var subevent: UInt8
    public var slot: UInt8
    /// At most 247 octets, which is what the command has room for.
    public var data: [UInt8]

    public init(
      handle: SyncHandle, requestEvent: UInt16, requestSubevent: UInt8, subevent: UInt8, slot: UInt8, data: [UInt8]
    ) {
      (self.handle, self.requestEvent, self.requestSubevent) = (handle, requestEvent, requestSubevent)
      (self.subevent, self.slot, self.data) = (subevent, slot, data)
    }
  }

  /// `HCI_LE_Set_Periodic_Sync_Subevent` (Core v5.4, Vol 4, Part E, 7.8.127).
  public struct SubeventChoice: Hashable, Sendable {
    public var handle: SyncHandle
    /// Bit 6: responses have TxPower.
    public var properties: UInt16 = 0
    /// 1 … 128 of them.
    public var subevents: [UInt8]

    public init(handle: SyncHandle, subevents: [UInt8]) {
      self.handle = handle
      self.subevents = subevents
    }

    public var includesTxPower: Bool { properties & 1 << 6 != 0 }
  }

  /// `HCI_LE_Periodic_Advertising_Report` [v2]: where it was heard beside what.
  public struct SubeventReport: Hashable, Sendable {
    /// Octets of data of one report.
    public static let maximumLength = 244

    /// At most 244 octets of data.
    public var report: PeriodicAdvertisingReport
    /// `paEventCounter`.
    public var eventCounter: UInt16
    /// 0 in an ordinary train.
    public var subevent: UInt8

    public init(_ report: PeriodicAdvertisingReport, eventCounter: UInt16, subevent: UInt8) {
      self.report = report
      self.eventCounter = eventCounter
      self.subevent = subevent
    }
  }

  /// `HCI_LE_Periodic_Advertising_Response_Report`: what came in the slots of a subevent (Core v5.4, Vol 4, Part E,
  /// 7.7.65.37).
  public struct SubeventResponses: Hashable, Sendable {
    /// Octets of data of one response.
    public static let maximumLength = 244
    /// Octets of responses of one event.
    public static let maximumOctets = 250

    public var set: AdvertisingHandle
    public var subevent: UInt8
    /// `Tx_Status`: 0: AUX_SYNC_SUBEVENT_IND was sent; 1: it was not.
    public var transmitStatus: UInt8 = 0
    /// As many as fit.
    public var responses: [Response] = []

    public init(set: AdvertisingHandle, subevent: UInt8) {
      self.set = set
      self.subevent = subevent
    }

    /// What came in one slot.
    public struct Response: Hashable, Sendable {
      /// Octets of it without data.
      public static let headLength = 6

      /// dBm; 127: not known.
      public var txPower: Int8 = 127
      /// dBm; 127: not known.
      public var rssi: Int8 = 127
      public var cteType = PeriodicAdvertisingReport.noCTE
      public var slot: UInt8
      public var status: PeriodicAdvertisingReport.Status
      /// At most 244 octets.
      public var data: [UInt8] = []

      public init(slot: UInt8, status: PeriodicAdvertisingReport.Status) {
        self.slot = slot
        self.status = status
      }
    }
  }
}

extension HCI.Opcode {
  public static let leSetPeriodicAdvertisingSubeventData = HCI.Opcode(ogf: 0x08, ocf: 0x82)
  public static let leSetPeriodicAdvertisingResponseData = HCI.Opcode(ogf: 0x08, ocf: 0x83)
  public static let leSetPeriodicSyncSubevent = HCI.Opcode(ogf: 0x08, ocf: 0x84)
  public static let leSetPeriodicAdvertisingParametersV2 = HCI.Opcode(ogf: 0x08, ocf: 0x86)
}

extension HCI.SubeventTiming: WireRecord {
  static let blank = Self()

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&count, &interval, &slotDelay, &slotSpacing)
  }
}

extension HCI.SubeventParameters: WireRecord {
  static let blank = Self(timing: .blank, slots: 0)
  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) { try pass.fields(&timing, &slots) }
}

extension HCI.SubeventData: WireRecord {
  static let blank = Self(subevent: 0, data: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&subevent, &firstSlot, &slots)
    try pass.field(&data, as: CountedOctets<249>.init, \.value)
  }
}

extension HCI.SubeventAnswer: WireRecord {
  static let blank = Self(handle: 0, requestEvent: 0, requestSubevent: 0, subevent: 0, slot: 0, data: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&handle, &requestEvent, &requestSubevent)
    try pass.fields(&subevent, &slot)
    try pass.field(&data, as: CountedOctets<247>.init, \.value)
  }
}

extension HCI.SubeventChoice: WireRecord {
  static let blank = Self(handle: 0, subevents: [])

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&handle, &properties)
    try pass.field(&subevents, as: CountedOctets<250>.init, \.value)
  }
}

extension HCI.SubeventReport: WireRecord {
  static let blank = Self(.blank, eventCounter: 0, subevent: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&report.handle, &report.txPower, &report.rssi, &report.cteType)
    try pass.fields(&eventCounter, &subevent, &report.status)
    try pass.field(&report.data, as: CountedOctets<244>.init, \.value)
  }
}

extension HCI.SubeventResponses: WireRecord {
  static let blank = Self(set: 0, subevent: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&set, &subevent, &transmitStatus)
    try pass.field(&responses, as: FittingList<Response, 250>.init, \.value)
  }
}

extension HCI.SubeventResponses.Response: WireRecord {
  static let blank = Self(slot: 0, status: .complete)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&txPower, &rssi, &cteType)
    try pass.fields(&slot, &status)
    try pass.field(&data, as: CountedOctets<244>.init, \.value)
  }
}
