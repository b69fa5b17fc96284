import Expectations
import Network
import Testing

@Suite("What Security says of TLS")
struct SecurityTests {
  /// As “Building a custom peer-to-peer protocol” and what others made of it write it.
  private static func parameters(passcode: String) -> NWParameters {
    let options = NWProtocolTLS.Options()
    let key = Data(passcode.utf8).withUnsafeBytes { DispatchData(bytes: $0) }
    let identity = Data("Talk".utf8).withUnsafeBytes { DispatchData(bytes: $0) }
    sec_protocol_options_set_min_tls_protocol_version(options.securityProtocolOptions, .TLSv12)
    sec_protocol_options_set_max_tls_protocol_version(options.securityProtocolOptions, .TLSv12)
    sec_protocol_options_add_pre_shared_key(
      options.securityProtocolOptions, key as __DispatchData, identity as __DispatchData)
    if let suite = tls_ciphersuite_t(rawValue: TLS_PSK_WITH_AES_128_GCM_SHA256) {
      sec_protocol_options_append_tls_ciphersuite(options.securityProtocolOptions, suite)
    }
    sec_protocol_options_append_tls_ciphersuite(options.securityProtocolOptions, .AES_128_GCM_SHA256)
    sec_protocol_options_set_tls_server_name(options.securityProtocolOptions, "talk.example")
    sec_protocol_options_add_tls_application_protocol(options.securityProtocolOptions, "talk/1")
    sec_protocol_options_set_peer_authentication_required(options.securityProtocolOptions, false)
    sec_protocol_options_set_tls_resumption_enabled(options.securityProtocolOptions, false)
    sec_protocol_options_set_verify_block(
      options.securityProtocolOptions, { _, _, complete in complete(true) }, .main)
    return NWParameters(tls: options, tcp: NWProtocolTCP.Options())
  }

  @Test("Options are taken; a connection with them is one without TLS, and the limit is remarked")
  func passcode() {
    let phone = SeamPhone()
    let watched = phone.ready(using: Self.parameters(passcode: "1234"))
    equal(watched.states, [.preparing, .ready])
    equal(phone.remarks, ["limit network.tls"])
  }

  @Test("Numbers of suites and versions (RFC 5487, RFC 8446)")
  func numbers() {
    expect(UInt16(TLS_PSK_WITH_AES_128_GCM_SHA256) == 0xA8 && tls_protocol_version_t.TLSv13.rawValue == 0x0304)
    equal(tls_ciphersuite_t(rawValue: 0x1301), .AES_128_GCM_SHA256)
  }
}
