import BluetoothWire
import SimKernel

extension PhonePreset {
  /// An Android phone or tablet up to Android 7: Bluetooth 4, a supervision timeout of 20 s, and scans that the system
  /// does not slow down. What it shares with later ones is `android`'s; sources are in Docs/phones.md.
  public static let android7: PhonePreset = {
    var phone = PhonePreset.android
    phone.name = "android-7"
    // `BTM_BLE_CONN_TIMEOUT_DEF` was 2000.
    phone.connection.initial.supervisionTimeout = 2_000
    // `bta_gattc_cache` was kept for every peer.
    phone.att.cachesServices = .always
    // `btm_sec.cc`: the key is forgotten and the link stays, up to Android 15.
    phone.lostBond = .pairsAgain
    // Bluetooth 4.0 to 4.2; no log has data length extension. Decision: none of Bluetooth 5.
    phone.radio.maximumDataOctets = 27
    phone.radio.updatesDataLengthAutomatically = false
    phone.radio.supports2M = false
    phone.radio.supportsChannelSelection2 = false
    // `SCAN_MODE_LOW_LATENCY_…_MS`: 5000 of 5000 ms. The background makes no difference before Android 8.
    phone.scanning.foreground = HCI.ScanParameters(isActive: true, interval: 8_000, window: 8_000)
    phone.scanning.background = phone.scanning.foreground
    phone.scanning.screenOff = nil
    phone.background.scanning = .continues
    return phone
  }()
}
