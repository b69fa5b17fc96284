import Network

/// How a service of Multipeer Connectivity is found: by a type of DNS-SD, over every interface, AWDL first.
enum NearbyService {
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
