extension LL {
  /// Periodic Advertising Response Timing Information: an AD structure in the ACAD of AUX_ADV_IND, which makes of the
  /// train that SyncInfo tells of one with subevents and responses.
  ///
  /// Spec: Core Specification Supplement v11, Part A, 1.24; Core v5.4, Vol 6, Part B, 2.3.4.8. Layout of its data:
  /// `RspAA: 4 | numSubevents: 1 | subeventInterval: 1 | responseSlotDelay: 1 | responseSlotSpacing: 1`.
  public struct ResponseTiming: Hashable, Sendable {
    /// The access address of AUX_SYNC_SUBEVENT_RSP.
    public var accessAddress: UInt32
    public var subevents: HCI.SubeventTiming

    public init(accessAddress: UInt32, subevents: HCI.SubeventTiming) {
      self.accessAddress = accessAddress
      self.subevents = subevents
    }
  }
}

extension LL.ResponseTiming {
  /// Octets of its data.
  public static let length = 8

  /// The first one of the structures in an ACAD that is whole; nil: there is none.
  public init?(controllerData: [UInt8]) {
    for structure in ADStructure.readable(in: controllerData)
    where structure.type == ADStructure.TypeCode.periodicResponseTiming {
      var reader = OctetReader(structure.data)
      guard structure.data.count == Self.length, let timing = try? Self(reading: &reader) else { continue }
      self = timing
      return
    }
    return nil
  }

  /// The structure as ACAD has it.
  public var structure: ADStructure {
    var data: [UInt8] = []
    append(to: &data)
    return .other(type: ADStructure.TypeCode.periodicResponseTiming, data: data)
  }
}

extension LL.ResponseTiming: WireRecord {
  static let blank = Self(accessAddress: 0, subevents: .blank)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&accessAddress, &subevents)
  }
}
