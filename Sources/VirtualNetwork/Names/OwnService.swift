import NetworkWire
import SimKernel

/// A service that this device offers on one interface.
struct OwnService {
  enum Stage: Hashable {
    /// So many probes have gone out.
    case probing(Int)
    /// It has its name, and so many announcements have gone out.
    case registered(announced: Int)
  }

  var type: String
  /// As its app wrote it.
  var wanted: String
  /// Which variant of it is tried or had.
  var variant = 1
  var port: UInt16
  /// Its TXT record.
  var record: [UInt8]
  var stage = Stage.probing(0)
  /// The next probe, announcement, or the end of probing; nil: nothing is to be done.
  var due: SimInstant?
  /// An answer that waits for others to give it.
  var answerDue: SimInstant?
  /// When its records were last sent.
  var sent: SimInstant?
  var conflicts: [SimInstant] = []

  var name: String { InstanceName.variant(variant, of: wanted) }
  var isRegistered: Bool { if case .registered = stage { true } else { false } }
}

extension DNSName {
  /// `_type._tcp.local.`
  static func serviceType(_ type: String) -> DNSName {
    DNSName(type.split(separator: ".").map(String.init) + ["local"])
  }

  /// `instance._type._tcp.local.`
  static func instance(_ name: String, _ type: String) -> DNSName {
    DNSName([name] + serviceType(type).labels)
  }
}
