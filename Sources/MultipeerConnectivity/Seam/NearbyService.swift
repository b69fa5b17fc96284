import Network

/// How a service of Multipeer Connectivity is found: by a type of DNS-SD, over every interface, AWDL first.
enum NearbyService {
  /// 1 to 15 letters, digits and hyphens (RFC 6335, 5.1), as Apple wants them.
  static func isType(_ type: String) -> Bool {
    (1...15).contains(type.utf8.count)
      && type.utf8.allSatisfy { octet in
        octet == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet)
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet)
      }
  }

  static func bonjourType(_ type: String) -> String { "_\(type)-mpc._tcp" }

  static var parameters: NWParameters {
    let tcp = NWProtocolTCP.Options()
    tcp.enableKeepalive = true
    tcp.keepaliveIdle = 5
    tcp.keepaliveInterval = 5
    tcp.keepaliveCount = 3
    let parameters = NWParameters(tls: nil, tcp: tcp)
    parameters.includePeerToPeer = true
    parameters.prefersPeerToPeer = true
    return parameters
  }
}
