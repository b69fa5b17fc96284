import BluetoothWire

extension PhonePreset {
  /// A phone that does not exist: everything useful that the Core Specification v5.4 allows, and no quirk.
  ///
  /// Every value is a decision unless a source is given beside it; the defaults of the structures are its values.
  public static let ideal: PhonePreset = {
    var phone = PhonePreset(name: "ideal")
    // The largest ATT_MTU whose notification fills one data channel PDU of 251 octets: 251 − 4 (L2CAP header).
    phone.att.serverMTU = 247
    phone.att.clientMTU = 247
    // 30 ms is room for seven links of one host and the middle of what phones ask for; the timeout is Apple's least.
    phone.connection.initial = HCI.ConnectionParameters(
      intervalMinimum: 24, intervalMaximum: 24, supervisionTimeout: 400)
    phone.connection.linksAsPeripheral = 16
    phone.connection.linksAsCentral = 16
    // Both directions of DLE at once right after the connection: 251 octets (Vol 6, Part B, 4.5.10).
    phone.radio.maximumDataOctets = 251
    // A good crystal, declared as such and without error.
    phone.radio.declaredClockPartsPerMillion = 20
    // 20 ms (32 × 0.625 ms), the least that is allowed (Vol 6, Part B, 4.4.2.2.1): seven clients that join at once
    // answer the same ADV_IND and collide, and each try costs an interval.
    phone.advertising.interval = 32
    phone.background.advertisingInterval = 32
    // Always listening, so that discovery time is the advertiser's alone: 60 ms of 60 ms.
    phone.scanning.foreground = HCI.ScanParameters(isActive: true, interval: 96, window: 96)
    return phone
  }()
}
