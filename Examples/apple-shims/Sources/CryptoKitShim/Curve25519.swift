import Crypto
import Foundation

/// Shadows swift-crypto's namespace of the same name. New private keys are drawn from the system's generator, which
/// is virtual in a room, and not from BoringSSL's, which asks the kernel. Everything else is swift-crypto's.
public enum Curve25519 {
  public enum KeyAgreement {
    public typealias PublicKey = Crypto.Curve25519.KeyAgreement.PublicKey

    public struct PrivateKey: Sendable {
      private let key: Crypto.Curve25519.KeyAgreement.PrivateKey

      public init() { self = try! PrivateKey(rawRepresentation: RandomOctets.make(32)) }

      public init<Octets: ContiguousBytes>(rawRepresentation: Octets) throws {
        key = try Crypto.Curve25519.KeyAgreement.PrivateKey(rawRepresentation: rawRepresentation)
      }

      public var publicKey: PublicKey { key.publicKey }
      public var rawRepresentation: Data { key.rawRepresentation }

      public func sharedSecretFromKeyAgreement(with share: PublicKey) throws -> SharedSecret {
        try key.sharedSecretFromKeyAgreement(with: share)
      }
    }
  }

  public enum Signing {
    public typealias PublicKey = Crypto.Curve25519.Signing.PublicKey

    public struct PrivateKey: Sendable {
      private let key: Crypto.Curve25519.Signing.PrivateKey

      public init() { self = try! PrivateKey(rawRepresentation: RandomOctets.make(32)) }

      public init<Octets: ContiguousBytes>(rawRepresentation: Octets) throws {
        key = try Crypto.Curve25519.Signing.PrivateKey(rawRepresentation: rawRepresentation)
      }

      public var publicKey: PublicKey { key.publicKey }
      public var rawRepresentation: Data { key.rawRepresentation }

      public func signature<Octets: DataProtocol>(for octets: Octets) throws -> Data {
        try key.signature(for: octets)
      }
    }
  }
}

enum RandomOctets {
  static func make(_ count: Int) -> Data {
    var generator = SystemRandomNumberGenerator()
    return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}
