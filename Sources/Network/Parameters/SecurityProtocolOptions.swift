/// What an app says of TLS by the functions of Security, which Apple's module makes visible with its own.
///
/// Source: Apple, `sec_protocol_options_t`. The values are kept and without effect, since TLS is not modelled: nobody's
/// key or certificate is checked.
public final class OS_sec_protocol_options: @unchecked Sendable {
  var preSharedKeys: [(key: DispatchData, identity: DispatchData)] = []
  var ciphersuites: [tls_ciphersuite_t] = []
  var leastVersion: tls_protocol_version_t?
  var greatestVersion: tls_protocol_version_t?
  var serverName: String?
  var applicationProtocols: [String] = []
  var requiresPeer = false
  var resumes = true
  var localIdentity: sec_identity_t?
}

/// Options of TLS, as functions of Security take them.
public typealias sec_protocol_options_t = OS_sec_protocol_options

/// Octets of Dispatch. On Apple's platforms it is a class, to which apps convert with `as`.
public typealias __DispatchData = DispatchData

/// A name by which an app is known to its peers; nothing makes one here.
public final class OS_sec_identity: @unchecked Sendable {
  init() {}
}

/// As functions of Security take it.
public typealias sec_identity_t = OS_sec_identity

/// What a handshake has found out. There are no handshakes.
public final class OS_sec_protocol_metadata: @unchecked Sendable {
  init() {}
}

/// As a block that verifies is given it.
public typealias sec_protocol_metadata_t = OS_sec_protocol_metadata

/// The certificates of a peer. There are none.
public final class OS_sec_trust: @unchecked Sendable {
  init() {}
}

/// As a block that verifies is given it.
public typealias sec_trust_t = OS_sec_trust

/// Says whether a peer is trusted.
public typealias sec_protocol_verify_complete_t = (Bool) -> Void

/// Decides whether a peer is trusted.
public typealias sec_protocol_verify_t = (
  sec_protocol_metadata_t, sec_trust_t, @escaping sec_protocol_verify_complete_t
) -> Void

/// A version of TLS.
///
/// Source: Apple, `tls_protocol_version_t`; numbers of RFC 8446, 4.2.1 and RFC 9147, 5.3.
public struct tls_protocol_version_t: RawRepresentable, Hashable, Sendable {
  /// The number in a handshake.
  public let rawValue: UInt16
  /// A version by its number; every number is one.
  public init?(rawValue: UInt16) { self.rawValue = rawValue }
  private init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// TLS 1.0.
  public static let TLSv10 = Self(0x0301)
  /// TLS 1.1.
  public static let TLSv11 = Self(0x0302)
  /// TLS 1.2.
  public static let TLSv12 = Self(0x0303)
  /// TLS 1.3.
  public static let TLSv13 = Self(0x0304)
  /// DTLS 1.0.
  public static let DTLSv10 = Self(0xFEFF)
  /// DTLS 1.2.
  public static let DTLSv12 = Self(0xFEFD)
}

/// A cipher suite of TLS.
///
/// Source: Apple, `tls_ciphersuite_t`; numbers of the registry of IANA.
public struct tls_ciphersuite_t: RawRepresentable, Hashable, Sendable {
  /// The number in a handshake.
  public let rawValue: UInt16
  /// A suite by its number; every number is one.
  public init?(rawValue: UInt16) { self.rawValue = rawValue }
  private init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// RSA with AES of 128 bits in Galois counter mode.
  public static let RSA_WITH_AES_128_GCM_SHA256 = Self(0x009C)
  /// RSA with AES of 256 bits in Galois counter mode.
  public static let RSA_WITH_AES_256_GCM_SHA384 = Self(0x009D)
  /// AES of 128 bits in Galois counter mode, of TLS 1.3.
  public static let AES_128_GCM_SHA256 = Self(0x1301)
  /// AES of 256 bits in Galois counter mode, of TLS 1.3.
  public static let AES_256_GCM_SHA384 = Self(0x1302)
  /// ChaCha20 and Poly1305, of TLS 1.3.
  public static let CHACHA20_POLY1305_SHA256 = Self(0x1303)
  /// Elliptic curves and ECDSA with AES of 128 bits.
  public static let ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 = Self(0xC02B)
  /// Elliptic curves and ECDSA with AES of 256 bits.
  public static let ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 = Self(0xC02C)
  /// Elliptic curves and RSA with AES of 128 bits.
  public static let ECDHE_RSA_WITH_AES_128_GCM_SHA256 = Self(0xC02F)
  /// Elliptic curves and RSA with AES of 256 bits.
  public static let ECDHE_RSA_WITH_AES_256_GCM_SHA384 = Self(0xC030)
}

/// A cipher suite by its number.
public typealias SSLCipherSuite = UInt16

/// A key that both ends have, with AES of 128 bits in Galois counter mode (RFC 5487).
public var TLS_PSK_WITH_AES_128_GCM_SHA256: SSLCipherSuite { 0x00A8 }
/// A key that both ends have, with AES of 256 bits in Galois counter mode (RFC 5487).
public var TLS_PSK_WITH_AES_256_GCM_SHA384: SSLCipherSuite { 0x00A9 }

/// Adds a key that both ends have. It is kept, and not compared with that of the other end.
public func sec_protocol_options_add_pre_shared_key(
  _ options: sec_protocol_options_t, _ psk: __DispatchData, _ psk_identity: __DispatchData
) {
  options.preSharedKeys.append((psk, psk_identity))
}

/// Adds a cipher suite to those that are offered.
public func sec_protocol_options_append_tls_ciphersuite(
  _ options: sec_protocol_options_t, _ ciphersuite: tls_ciphersuite_t
) {
  options.ciphersuites.append(ciphersuite)
}

/// Names the lowest version that is offered.
public func sec_protocol_options_set_min_tls_protocol_version(
  _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {
  options.leastVersion = version
}

/// Names the highest version that is offered.
public func sec_protocol_options_set_max_tls_protocol_version(
  _ options: sec_protocol_options_t, _ version: tls_protocol_version_t
) {
  options.greatestVersion = version
}

/// Names the server, for its certificate.
public func sec_protocol_options_set_tls_server_name(
  _ options: sec_protocol_options_t, _ server_name: UnsafePointer<CChar>
) {
  options.serverName = String(cString: server_name)
}

/// Adds a protocol of the application layer to those that are offered.
public func sec_protocol_options_add_tls_application_protocol(
  _ options: sec_protocol_options_t, _ application_protocol: UnsafePointer<CChar>
) {
  options.applicationProtocols.append(String(cString: application_protocol))
}

/// Says whether the other end has to show who it is.
public func sec_protocol_options_set_peer_authentication_required(
  _ options: sec_protocol_options_t, _ peer_authentication_required: Bool
) {
  options.requiresPeer = peer_authentication_required
}

/// Says whether a session may be taken up again.
public func sec_protocol_options_set_tls_resumption_enabled(
  _ options: sec_protocol_options_t, _ resumption_enabled: Bool
) {
  options.resumes = resumption_enabled
}

/// Names the own certificate.
public func sec_protocol_options_set_local_identity(_ options: sec_protocol_options_t, _ identity: sec_identity_t) {
  options.localIdentity = identity
}

/// Names the block that verifies the other end. It is never called, since there are no certificates.
public func sec_protocol_options_set_verify_block(
  _ options: sec_protocol_options_t, _ verify_block: @escaping sec_protocol_verify_t,
  _ verify_block_queue: DispatchQueue
) {}
