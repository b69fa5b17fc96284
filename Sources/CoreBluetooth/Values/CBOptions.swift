// Keys of the dictionaries that managers take and give. Source: Apple, “Central Manager Initialization Options” and
// the pages beside it; the texts are what apps and logs see on phones.

/// Bool: warn the person when Bluetooth is off. Accepted; no dialogue is modelled.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// String: the name by which the manager's state is restored in a later launch.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBRestoreIdentifierKey"
/// Bool: access for media. Accepted, without effect.
public let CBCentralManagerOptionDeviceAccessForMedia = "kCBInitOptionDeviceAccessForMedia"
/// Bool: report every advertising packet, and not each peripheral once; ignored in background.
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"
/// Array of `CBUUID`: find peripherals that solicit these services, too.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey = "kCBScanOptionSolicitedServiceUUIDs"

/// Bool: an alert at a connection while the app is suspended. Accepted, without effect.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// Bool: an alert at a disconnection while the app is suspended. Accepted, without effect.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey = "kCBConnectOptionNotifyOnDisconnection"
/// Bool: an alert at each notification while the app is suspended. Accepted, without effect.
public let CBConnectPeripheralOptionNotifyOnNotificationKey = "kCBConnectOptionNotifyOnNotification"
/// Number: seconds to wait before connecting. Not modelled; the connection begins at once, with a remark.
public let CBConnectPeripheralOptionStartDelayKey = "kCBConnectOptionStartDelay"
/// Bool: connect classic profiles as well. There is no classic Bluetooth here; remarked.
public let CBConnectPeripheralOptionEnableTransportBridgingKey = "kCBConnectOptionEnableTransportBridging"
/// Bool: the Apple Notification Center Service is needed. Not modelled; remarked.
public let CBConnectPeripheralOptionRequiresANCS = "kCBConnectOptionRequiresANCS"
/// Bool: connect again by itself after an unexpected disconnection.
public let CBConnectPeripheralOptionEnableAutoReconnect = "kCBConnectOptionEnableAutoReconnect"

/// Array of `CBPeripheral` that were connected, or to be connected.
public let CBCentralManagerRestoredStatePeripheralsKey = "kCBRestoredPeripherals"
/// Array of `CBUUID` that the restored scan looks for.
public let CBCentralManagerRestoredStateScanServicesKey = "kCBRestoredScanServices"
/// The options of the restored scan.
public let CBCentralManagerRestoredStateScanOptionsKey = "kCBRestoredScanOptions"

/// Bool: warn the person when Bluetooth is off. Accepted; no dialogue is modelled.
public let CBPeripheralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// String: the name by which the manager's state is restored in a later launch.
public let CBPeripheralManagerOptionRestoreIdentifierKey = "kCBRestoreIdentifierKey"
/// Array of `CBMutableService` that were published.
public let CBPeripheralManagerRestoredStateServicesKey = "kCBRestoredServices"
/// What was advertised.
public let CBPeripheralManagerRestoredStateAdvertisementDataKey = "kCBRestoredAdvertisement"

/// String: the local name of an advertiser.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// Number: the advertiser's transmit power, dBm.
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// Array of `CBUUID`: the advertised services.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// Dictionary from `CBUUID` to `Data`: data of services.
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// `Data`: two octets of company, then its own. Apple's overflow area and iBeacons are not shown.
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
/// Array of `CBUUID`: services that the scan looks for and that may be in the overflow area of an app in background.
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// Number (Bool): whether the advertiser accepts connections.
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
/// Array of `CBUUID`: services that the advertiser looks for.
public let CBAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"
