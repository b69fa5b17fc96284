public import BluetoothWire
public import SimKernel

/// What an app asks of the platform, or shows. An engine can do nothing else.
public enum AppEffect: Hashable, Sendable {
  case publish(ServiceDefinition)
  case advertise(AdvertisementRequest)
  case stopAdvertising
  /// Scan; `services` empty = unfiltered.
  case scan(services: [BluetoothUUID])
  case stopScanning
  case connect(BluetoothAddress)
  case cancelConnect(BluetoothAddress)
  case disconnect(LinkID)
  /// Ask for a larger ATT_MTU; the answer is `attMTU`. Platforms that do it on their own ignore it.
  case exchangeMTU(LinkID, Int)
  case discover(LinkID, service: BluetoothUUID)
  case subscribe(LinkID, characteristic: BluetoothUUID, Bool)
  case read(LinkID, characteristic: BluetoothUUID)
  case write(LinkID, characteristic: BluetoothUUID, octets: [UInt8])
  case writeWithoutResponse(LinkID, characteristic: BluetoothUUID, octets: [UInt8])
  /// Host: notify one subscribed central (`updateValue`).
  case notify(LinkID, characteristic: BluetoothUUID, octets: [UInt8])
  /// Host: the value a read of the characteristic returns.
  case setValue(characteristic: BluetoothUUID, octets: [UInt8])
  case setTimer(TimerID, at: SimInstant)
  case cancelTimer(TimerID)
  /// Something about attributes that are named one by one.
  indirect case gatt(GATTEffect)
  /// Generic Access beyond the words above.
  indirect case gap(GAPEffect)
  /// Something about channels of L2CAP.
  indirect case channel(ChannelEffect)
  /// Something of the network beside the radio.
  case network(NetworkEffect)
  /// What the app finds as `AppConfiguration.kept` when it is launched again: at most 1 MiB, in place of what was kept
  /// before; more is not kept.
  case keep([UInt8])
  /// Puts octets at the end of what is kept, as a transcript grows. Where that would be more than 1 MiB, none of them
  /// are kept.
  case keepMore([UInt8])
  /// Something observable: goes to the trace, where oracles read it.
  case report(AppReport)
}
