import BluetoothWire
import SimKernel

extension PhonePreset {
  /// An Android phone, AOSP stack (names of its constants in code font), app built on `android.bluetooth`.
  public static let android: PhonePreset = {
    var phone = PhonePreset(name: "android")
    // 23 until the app calls `requestMtu`; the stack then asks for at most `GATT_MAX_MTU_SIZE`, 517, and since Android
    // 14 for 517 whatever the app wished. As server it answers 517.
    phone.att.serverMTU = 517
    phone.att.clientMTU = 517
    phone.att.exchangesAutomatically = false
    phone.att.appMayExchange = true
    // `bta_gattc_cache` is written to storage for bonded devices.
    phone.att.cachesServices = .bonded
    // `gatt_rsp_timeout` disconnects.
    phone.att.timeoutEndsLink = true

    // `BTM_BLE_CONN_INT_MIN_DEF` 24, `…_MAX_DEF` 40, 5 s: shared captures 03, 10, 15 and 34.
    phone.connection.initial = HCI.ConnectionParameters(
      intervalMinimum: 24, intervalMaximum: 40, supervisionTimeout: 500)
    // `BTM_BLE_CONN_INT_MIN_LIMIT`: 9 (11.25 ms), as capture 04 shows it; the upper ends are the Core Specification's.
    // What is below is raised and accepted (Docs/phones.md).
    phone.connection.acceptedIntervals = 9...3_200
    phone.connection.raisesShortIntervals = true
    phone.connection.acceptedLatency = 499
    phone.connection.acceptedTimeouts = 10...3_200
    // `GATT_MAX_PHY_CHANNEL`: 7 links, both roles together.
    phone.connection.linksAsPeripheral = 7
    phone.connection.linksAsCentral = 7
    phone.connection.linksInAll = 7
    // A direct connection is given up after 30 s (status 133).
    phone.connection.attemptTimeout = .seconds(30)

    // One notification may wait for `onNotificationSent` per device, one write for its callback; the stack buffers some
    // more before it reports congestion. Decision: 10 and 1.
    phone.buffers.notificationQueue = 10
    phone.buffers.writeCommandQueue = 1
    // `HCI_LE_Read_Buffer_Size`: 251 octets × 15 in shared captures 15 and 20 (16 in 34, 8 in 04).
    phone.buffers.aclCount = 15
    phone.buffers.aclOctets = 251

    phone.radio.maximumDataOctets = 251
    // Vol 6, Part B, 5.1.9: LE Data Length Change events follow the connection by themselves in captures 10, 15, 34.
    phone.radio.updatesDataLengthAutomatically = true
    // 2M only when the app calls `setPreferredPhy`.
    phone.radio.supports2M = true
    phone.radio.prefers2M = false
    // LE Channel Selection Algorithm events in captures 10 and 34.
    phone.radio.supportsChannelSelection2 = true
    // Decision: a mid-range phone's crystal, declared one class better than the worst it may be.
    phone.radio.declaredClockPartsPerMillion = 50
    phone.radio.clockDrift = -30...30
    // `ADVERTISE_TX_POWER_HIGH` is 1 dBm; links use what the radio has. Decision: 4 dBm.
    phone.radio.transmitPower = 400
    phone.radio.sensitivity = -9_300

    // `ADVERTISE_MODE_LOW_LATENCY`: 100 ms.
    phone.advertising.interval = 160
    // The controller says how many sets it has (`LE Read Number of Supported Advertising Sets`). Decision: four, the
    // least that was reported.
    phone.advertising.sets = 4
    // Flags are the stack's (02 01 02), 28 octets are the app's; too much is `ADVERTISE_FAILED_DATA_TOO_LARGE`.
    phone.advertising.dataRoom = 28
    phone.advertising.responseRoom = 31
    phone.advertising.namePlacement = .scanResponse
    phone.advertising.nameOverflow = .refuse
    // `BTM_BLE_PRIVATE_ADDR_INT`, 15 min at most since Android 10 (a draw from 7 min on).
    phone.advertising.rotatesAddress = .seconds(900)
    phone.advertising.flags = [.generalDiscoverable]

    // `SCAN_MODE_LOW_LATENCY_…_MS`: 100 of 100 ms, active.
    phone.scanning.foreground = HCI.ScanParameters(isActive: true, interval: 160, window: 160)
    // Apps in background are held to `SCAN_MODE_LOW_POWER_…_MS`: 140 of 1 400 ms.
    phone.scanning.background = HCI.ScanParameters(isActive: true, interval: 2_240, window: 224)
    // `SCAN_MODE_SCREEN_OFF_LOW_POWER_…_MS`: 512 of 10 240 ms.
    phone.scanning.screenOff = HCI.ScanParameters(isActive: true, interval: 16_384, window: 819)
    // `BTM_BLE_SCAN_FAST_INT` and `…_WIN`: 30 of 60 ms, as captures 03, 04, 15 and 34 show.
    phone.scanning.connecting = HCI.ScanParameters(isActive: false, interval: 96, window: 48)

    // Advertising and links go on while the process lives; unfiltered scans pause with the screen off (Android 8.1).
    phone.background.advertising = .continues
    phone.background.advertisingInterval = 160
    phone.background.scanning = .filteredOnly
    phone.background.keepsLinks = true
    return phone
  }()
}
