import BluetoothWire
import SimKernel

extension PhonePreset {
  /// A Linux machine with BlueZ: `hci_alloc_dev` and the mgmt interface of the kernel have the numbers.
  public static let linux: PhonePreset = {
    var phone = PhonePreset(name: "linux")
    // BlueZ `main.conf`, `ExchangeMTU`: 517; its GATT client exchanges on its own.
    phone.att.serverMTU = 517
    phone.att.clientMTU = 517
    phone.att.exchangesAutomatically = true
    phone.att.appMayExchange = false
    // BlueZ `timeout_cb` of `att.c` shuts the channel down, and the kernel the link.
    phone.att.timeoutEndsLink = true

    // `le_conn_min_interval` 0x18, `le_conn_max_interval` 0x28, `le_supv_timeout` 0x2A: 420 ms, so a short absence
    // already ends a link.
    phone.connection.initial = HCI.ConnectionParameters(
      intervalMinimum: 24, intervalMaximum: 40, supervisionTimeout: 42)
    // `hci_check_conn_params` takes what the Core Specification allows.
    phone.connection.acceptedIntervals = 6...3_200
    phone.connection.acceptedLatency = 499
    phone.connection.acceptedTimeouts = 10...3_200
    // The controller decides; decision: a common USB adapter.
    phone.connection.linksAsPeripheral = 8
    phone.connection.linksAsCentral = 8
    // `HCI_LE_CONN_TIMEOUT`.
    phone.connection.attemptTimeout = .seconds(20)

    // Values wait in the socket's send buffer; decision: 64 fit.
    phone.buffers.notificationQueue = 64
    phone.buffers.writeCommandQueue = 64
    // `HCI_LE_Read_Buffer_Size` of shared capture 06: 27 octets × 8; the Core Specification's least buffer, so one long
    // value takes ten of them.
    phone.buffers.aclCount = 8
    phone.buffers.aclOctets = 27

    // Controllers with such buffers send 27 octets: no data length extension, LE 1M, algorithm #1. Decision.
    phone.radio.maximumDataOctets = 27
    phone.radio.updatesDataLengthAutomatically = false
    phone.radio.supports2M = false
    phone.radio.supportsChannelSelection2 = false
    // Decision: a USB adapter's crystal.
    phone.radio.declaredClockPartsPerMillion = 50
    phone.radio.clockDrift = -40...40
    phone.radio.transmitPower = 400
    phone.radio.sensitivity = -9_000

    // `le_adv_min_interval` is 1.28 s; bluetoothd advertises with 100 ms … 150 ms when it is told to be found quickly
    // (`MinInterval`). Decision: 100 ms, as an app that hosts a game would ask for.
    phone.advertising.interval = 160
    phone.advertising.dataRoom = 28
    phone.advertising.responseRoom = 31
    // The kernel appends the name to the scan response, shortened when it must be (`append_local_name`).
    phone.advertising.namePlacement = .scanResponse
    phone.advertising.nameOverflow = .shorten
    phone.advertising.addressKind = .publicDevice
    phone.advertising.flags = [.generalDiscoverable, .brEDRNotSupported]

    // `DISCOV_LE_SCAN_INT` and `…_WIN`: 11.25 of 11.25 ms (18 and 18 in shared capture 36).
    phone.scanning.foreground = HCI.ScanParameters(isActive: true, interval: 18, window: 18)
    phone.scanning.background = phone.scanning.foreground
    // `le_scan_int_connect`, `le_scan_window_connect`: 60 of 60 ms.
    phone.scanning.connecting = HCI.ScanParameters(isActive: false, interval: 96, window: 96)
    // bluetoothd reports a device when it appears, and again only when its data or RSSI change much.
    phone.scanning.reportsEachAdvertiserOnce = true

    // A desktop has no background.
    phone.background.advertising = .continues
    phone.background.advertisingInterval = 160
    phone.background.scanning = .continues
    phone.background.keepsLinks = true
    return phone
  }()
}
