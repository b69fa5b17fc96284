/// What DNS-SD has to tell on one interface.
package enum NameEvent: Hashable, Sendable {
  /// A service of this device has its name now, which may be another one than before.
  case registered(type: String, name: String)
  /// An instance and where it is, for the first time, or at another place than before.
  case found(type: String, name: String, hostName: String, port: UInt16, record: [UInt8] = [])
  /// The TXT record of an instance that was found is another one.
  case recordChanged(type: String, name: String, record: [UInt8])
  /// An instance is no longer known.
  case lost(type: String, name: String)
}
