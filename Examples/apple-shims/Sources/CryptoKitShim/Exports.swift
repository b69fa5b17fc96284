/// Apple's CryptoKit as swift-crypto has it; keys of Curve25519 are in `Curve25519.swift`.
@_exported import Crypto
