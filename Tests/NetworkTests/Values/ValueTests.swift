import Expectations
import Network
import Testing

@Suite("Values of the network")
struct ValueTests {
  @Test("Errors have Apple's names, numbers and domain")
  func errors() {
    equal("\(NWError.posix(.ECONNREFUSED).debugDescription)", "POSIXErrorCode(rawValue: 61): Connection refused")
    equal(NWError.posix(.ENETDOWN).debugDescription, "POSIXErrorCode(rawValue: 50): Network is down")
    equal(NWError.posix(.ECANCELED).debugDescription, "POSIXErrorCode(rawValue: 89): Operation canceled")
    equal(NWError.posix(.ENODATA).debugDescription, "POSIXErrorCode(rawValue: 96): No message available on STREAM")
    equal(
      NWError.dns(DNSServiceErrorType(kDNSServiceErr_DefunctConnection)).debugDescription, "-65569: DefunctConnection"
    )
    let error = NWError.posix(.ECONNRESET) as NSError
    expect(error.domain == "Network.NWError" && error.code == 54)
    expect(error.localizedDescription.contains("Network.NWError error 54 - Connection reset by peer"))
    expect(NWError.posix(.EPIPE) != .posix(.ENETDOWN) && NWError.tls(-9_807) == .tls(-9_807))
  }

  @Test("A host's text is an address or a name")
  func hosts() {
    equal(NWEndpoint.Host("192.168.4.10"), .ipv4(IPv4Address("192.168.4.10") ?? .any))
    equal(NWEndpoint.Host("fe80::1"), .ipv6(IPv6Address("fe80::1") ?? .any))
    equal(NWEndpoint.Host("example.org"), .name("example.org", nil))
    equal("\(NWEndpoint.Host("fe80::1%awdl0"))", "fe80::1%awdl0")
    equal(NWEndpoint.Host("fe80::1%awdl0").interface?.name, "awdl0")
    let literal: NWEndpoint.Host = "10.0.0.1"
    equal("\(literal)", "10.0.0.1")
  }

  @Test("Addresses: octets, text, kinds (RFC 1122, 3927, 4291, 5952)")
  func addresses() {
    expect(IPv4Address.loopback.isLoopback && IPv4Address("169.254.1.2")?.isLinkLocal == true)
    expect(IPv4Address("224.0.0.251")?.isMulticast == true && IPv4Address("256.1.1.1") == nil)
    expect(IPv4Address(Data([10, 0, 0, 7]))?.debugDescription == "10.0.0.7" && IPv4Address(Data([1])) == nil)
    expect("\(IPv4Address.mdnsGroup)" == "224.0.0.251" && IPv4Address.allReportsGroup.isMulticast)
    equal(IPv6Address("2001:db8:0:0:0:0:0:1")?.debugDescription, "2001:db8::1")
    expect(IPv6Address.loopback.isLoopback && IPv6Address("fe80::1")?.isLinkLocal == true)
    expect(IPv6Address("ff02::fb")?.isMulticast == true && IPv6Address("1:2") == nil)
    expect(IPv6Address(Data(repeating: 0, count: 16)) == .any && IPv6Address(Data()) == nil)
  }

  @Test("Ports are numbers")
  func ports() {
    let port: NWEndpoint.Port = 8_080
    expect(port == NWEndpoint.Port(rawValue: 8_080) && port == NWEndpoint.Port("8080"))
    expect(NWEndpoint.Port.imaps.rawValue == 993 && NWEndpoint.Port.smtp.rawValue == 25)
    expect(NWEndpoint.Port("65536") == nil && NWEndpoint.Port.any.rawValue == 0 && "\(port)" == "8080")
  }

  @Test("Endpoints have texts, and are equal where their parts are")
  func endpoints() {
    let service = NWEndpoint.service(name: "Keynote", type: "_talk._tcp", domain: "local.", interface: nil)
    equal(service.debugDescription, "Keynote._talk._tcp.local.")
    equal(NWEndpoint.hostPort(host: "10.0.0.7", port: 80).debugDescription, "10.0.0.7:80")
    equal(NWEndpoint.hostPort(host: "::1", port: 80).debugDescription, "::1.80")
    equal(NWEndpoint.unix(path: "/tmp/s").debugDescription, "/tmp/s")
    expect(Set([service, service]).count == 1 && service.interface == nil)
  }

  // MARK: TXT records

  /// The octets of RFC 6763, 6.1, figure 2 in spirit: each entry after its length.
  private static let octets = Data(
    [9] + Array("txtvers=1".utf8) + [4] + Array("Flag".utf8) + [6] + Array("Empty=".utf8))

  @Test("A TXT record from octets, and back")
  func record() {
    let record = NWTXTRecord(Self.octets)
    expect(record["txtvers"] == "1" && record["TXTVERS"] == "1")
    expect(record.getEntry(for: "flag") == NWTXTRecord.Entry.none && record["flag"] == nil)
    expect(record.getEntry(for: "Empty") == .empty && record["Empty"] == "")
    expect(record.data == Self.octets && record.dictionary == ["txtvers": "1", "Empty": ""])
    equal(record.map(\.key), ["txtvers", "Flag", "Empty"])
    equal(NWBrowser.Result.Metadata.bonjour(record).debugDescription, "{txtvers=1, Flag, Empty=}")
    equal("\(NWBrowser.Result.Metadata.none)", "none")
  }

  @Test("A value by its octets")
  func entries() {
    expect(NWTXTRecord.Entry(nil) == NWTXTRecord.Entry.none && NWTXTRecord.Entry(Data()) == .empty)
    expect(NWTXTRecord.Entry(Data([0x61])) == .string("a") && NWTXTRecord.Entry(Data([0xFF])) == .data(Data([0xFF])))
  }

  @Test("Of a key that comes twice the first counts; entries without a key are ignored (RFC 6763, 6.4)")
  func doubled() {
    let record = NWTXTRecord(Data([3] + Array("a=1".utf8) + [3] + Array("A=2".utf8) + [2] + Array("=3".utf8)))
    equal(record.dictionary, ["a": "1"])
    expect(NWTXTRecord(Data([9, 0x61])).dictionary == [:] && NWTXTRecord(Data([0])).dictionary == [:])
  }

  @Test("Keys are set, replaced whatever their case, and removed; one with an equals sign cannot be")
  func changes() {
    var record = NWTXTRecord(["b": "2", "a": "1"])
    equal(record.map(\.key), ["a", "b"])
    record["A"] = "3"
    expect(record["a"] == "3" && record.dictionary.count == 2)
    record["b"] = nil
    expect(!record.removeEntry(key: "b") && record.removeEntry(key: "a"))
    let refusals = [
      record.setEntry(.none, for: ""), record.setEntry(.none, for: "a=b"), record.setEntry(.none, for: "ä"),
    ]
    equal(refusals, [false, false, false])
    expect(record.setEntry(.data(Data([0xFF])), for: "raw") && record["raw"] == nil)
    equal(NWTXTRecord(record.data).getEntry(for: "raw"), .data(Data([0xFF])))
  }

  // MARK: Parameters

  @Test("Parameters of TCP and UDP, with and without TLS")
  func parameters() {
    expect(NWParameters.tcp.defaultProtocolStack.transportProtocol is NWProtocolTCP.Options)
    expect(NWParameters.udp.defaultProtocolStack.transportProtocol is NWProtocolUDP.Options)
    expect(NWParameters.tls.defaultProtocolStack.applicationProtocols.first is NWProtocolTLS.Options)
    expect(
      NWParameters.dtls.debugDescription == "tls, udp" && NWParameters().defaultProtocolStack.transportProtocol == nil)
    expect(NWParameters(tls: nil).debugDescription == "tcp" && NWParameters.tcp !== NWParameters.tcp)
  }

  @Test("What parameters begin with, and a copy of them")
  func copies() {
    let parameters = NWParameters.tcp
    expect(!parameters.includePeerToPeer && parameters.requiredInterfaceType == .other)
    expect(parameters.serviceClass == .bestEffort && parameters.multipathServiceType == .disabled)
    expect(parameters.expiredDNSBehavior == .systemDefault && !parameters.allowLocalEndpointReuse)
    parameters.includePeerToPeer = true
    parameters.serviceClass = .background
    parameters.prohibitedInterfaceTypes = [.cellular]
    parameters.preferNoProxies = true
    parameters.acceptLocalOnly = true
    parameters.requiresDNSSECValidation = true
    let copy = parameters.copy()
    parameters.includePeerToPeer = false
    expect(copy.includePeerToPeer && copy.serviceClass == .background && copy.prohibitedInterfaceTypes == [.cellular])
    expect(copy.preferNoProxies && copy.acceptLocalOnly && copy !== parameters)
    expect(copy.requiresDNSSECValidation && !copy.allowUltraConstrainedPaths)
  }

  @Test("Contexts: which are final, and the metadata of a protocol")
  func contexts() {
    expect(!NWConnection.ContentContext.defaultMessage.isFinal && NWConnection.ContentContext.finalMessage.isFinal)
    expect(NWConnection.ContentContext.defaultStream.isFinal)
    let context = NWConnection.ContentContext(
      identifier: "one", expiration: 5, priority: 0.7, metadata: [NWProtocolUDP.Metadata()])
    expect(context.protocolMetadata(definition: NWProtocolUDP.definition) is NWProtocolUDP.Metadata)
    expect(context.protocolMetadata(definition: NWProtocolTCP.definition) == nil)
    expect(context.expirationMilliseconds == 5 && context.relativePriority == 0.7 && context.antecedent == nil)
  }
}
