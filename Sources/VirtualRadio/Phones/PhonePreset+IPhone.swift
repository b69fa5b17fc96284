import BluetoothWire
import SimKernel

extension PhonePreset {
  /// An iPhone with a current iOS, app built on Core Bluetooth.
  ///
  /// ADG = Accessory Design Guidelines for Apple Devices, R21; CBP = Apple, Core Bluetooth Programming Guide and the
  /// reference of `CBPeripheralManager.startAdvertising(_:)`. What neither says is measured or a decision, as noted.
  public static let iphone: PhonePreset = {
    var phone = PhonePreset(name: "iphone")
    // iOS exchanges on its own as central, and an app has no call for it (CBP). 185 is what iPhones answer and ask for
    // since iOS 10; published apps count on it too.
    phone.att.serverMTU = 185
    phone.att.clientMTU = 185
    phone.att.exchangesAutomatically = true
    phone.att.appMayExchange = false
    // ADG 49.9: iOS caches services of bonded accessories, which need Service Changed.
    phone.att.cachesServices = .bonded
    // `peripheralManagerDidUpdateState`: the local database is cleared below `poweredOff`, and not in it.
    phone.att.keepsServices = true

    // Recent iPhones ask for 10 … 30 ms and take 30; their links begin with 720 ms and go to 2 s after about one second
    // (Docs/phones.md). Decision: 2 s from the start.
    phone.connection.initial = HCI.ConnectionParameters(
      intervalMinimum: 24, intervalMaximum: 24, supervisionTimeout: 200)
    // ADG 49.6: interval at least 15 ms and at most 2 s together with the latency, latency at most 30, supervision
    // timeout 2 s … 6 s.
    phone.connection.acceptedIntervals = 12...1_600
    phone.connection.acceptedLatency = 30
    phone.connection.acceptedTimeouts = 200...600
    // No figure is published; Core Bluetooth apps report 5 … 15 links. Decision: 10, more than a lobby needs.
    phone.connection.linksAsPeripheral = 10
    phone.connection.linksAsCentral = 10
    phone.connection.linksInAll = 10
    // CBP: attempts to connect do not time out.
    phone.connection.attemptTimeout = nil

    // `updateValue` answers false when the queue is full; its depth is not published. Decision: as many values as the
    // controller has buffers.
    phone.buffers.notificationQueue = 15
    phone.buffers.writeCommandQueue = 15
    // Decision: as many as other phones have; captures of iPhones show up to 16 packets under way.
    phone.buffers.aclCount = 15
    phone.buffers.aclOctets = 251

    // DLE since iPhone 7, 2M since iPhone 8 (ADG 49.11 recommends both to accessories); which of them iOS begins on
    // its own is measured by vendors: both.
    phone.radio.maximumDataOctets = 251
    phone.radio.updatesDataLengthAutomatically = true
    phone.radio.supports2M = true
    phone.radio.prefers2M = true
    phone.radio.supportsChannelSelection2 = true
    // Central clock accuracy 0 … 20 ppm class: decision; the true error is a crystal's, within what is declared.
    phone.radio.declaredClockPartsPerMillion = 20
    phone.radio.clockDrift = -15...15
    // Decision: class of current phone radios.
    phone.radio.transmitPower = 800
    phone.radio.sensitivity = -9_500

    // Phones advertise faster than ADG 49.3 asks of accessories (20 ms for 30 s, then 152.5 ms and slower). Decision:
    // 152.5 ms, the first of the slower ones that stay.
    phone.advertising.interval = 244
    // CBP: 28 octets for everything in the initial advertisement, ten more in the scan response for the name only.
    phone.advertising.dataRoom = 28
    phone.advertising.responseRoom = 10
    phone.advertising.namePlacement = .advertisingDataFirst
    phone.advertising.nameOverflow = .shorten
    // Apple, Platform Security, “Bluetooth security”: addresses change; about every 15 min, as it is measured.
    phone.advertising.rotatesAddress = .seconds(900)
    // Sniffed: 02 01 1A.
    phone.advertising.flags = [.generalDiscoverable, .simultaneousController, .simultaneousHost]

    // Decision, 30 ms of every 40 ms: what accessory makers measure of an app in front.
    phone.scanning.foreground = HCI.ScanParameters(isActive: true, interval: 64, window: 48)
    // 30 ms of every 300 ms, active, as one old iPhone scans most of the time (Docs/phones.md).
    phone.scanning.background = HCI.ScanParameters(isActive: true, interval: 480, window: 48)
    // 30 of 30 ms where an iPhone is in a hurry (Docs/phones.md).
    phone.scanning.connecting = HCI.ScanParameters(isActive: false, interval: 48, window: 48)
    // CBP: without the allow-duplicates option each peripheral is reported once.
    phone.scanning.reportsEachAdvertiserOnce = true
    phone.scanning.readsOverflowArea = true

    // CBP, background execution: the name is not advertised, service UUIDs go to the overflow area, packets may be
    // fewer; scans need a service filter. The interval is measured by others as about 0.2 s … 0.3 s; decision: 285 ms.
    phone.background.advertising = .overflowArea
    phone.background.advertisingInterval = 456
    phone.background.scanning = .filteredOnly
    phone.background.keepsLinks = true
    return phone
  }()
}
