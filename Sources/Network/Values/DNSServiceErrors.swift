/// A code of DNS Service Discovery (`dns_sd.h`).
public typealias DNSServiceErrorType = Int32

/// No error.
public let kDNSServiceErr_NoError: Int = 0
/// Unknown.
public let kDNSServiceErr_Unknown: Int = -65537
/// There is no such name.
public let kDNSServiceErr_NoSuchName: Int = -65538
/// A parameter cannot be, for example the type of a service.
public let kDNSServiceErr_BadParam: Int = -65540
/// The name is taken.
public let kDNSServiceErr_NameConflict: Int = -65548
/// There is no such record.
public let kDNSServiceErr_NoSuchRecord: Int = -65554
/// The app does not list the type among those that it uses (`NSBonjourServices`).
public let kDNSServiceErr_NoAuth: Int = -65555
/// The daemon does not run.
public let kDNSServiceErr_ServiceNotRunning: Int = -65563
/// Nothing was answered in time.
public let kDNSServiceErr_Timeout: Int = -65568
/// The system has taken the connection to the daemon back, as from a suspended app.
public let kDNSServiceErr_DefunctConnection: Int = -65569
/// The person does not allow the app to use the local network.
public let kDNSServiceErr_PolicyDenied: Int = -65570

/// The names of codes, for texts.
enum DNSServiceErrorNames {
  private static let names: [Int: String] = [
    kDNSServiceErr_NoError: "NoError", kDNSServiceErr_Unknown: "Unknown", kDNSServiceErr_NoSuchName: "NoSuchName",
    kDNSServiceErr_BadParam: "BadParam", kDNSServiceErr_NameConflict: "NameConflict",
    kDNSServiceErr_NoSuchRecord: "NoSuchRecord", kDNSServiceErr_NoAuth: "NoAuth",
    kDNSServiceErr_ServiceNotRunning: "ServiceNotRunning", kDNSServiceErr_Timeout: "Timeout",
    kDNSServiceErr_DefunctConnection: "DefunctConnection", kDNSServiceErr_PolicyDenied: "PolicyDenied",
  ]

  static func name(of code: DNSServiceErrorType) -> String { names[Int(code)] ?? "Unknown" }
}
