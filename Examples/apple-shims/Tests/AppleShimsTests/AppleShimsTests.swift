import Combine
import CryptoKit
import Foundation
import OSLog
import Security
import Testing
import os.lock
import os.log

@Suite("An app's imports under Apple's names")
struct AppleShimsTests {
  @Test("Combine: a subject, an operator and a sink")
  func combine() {
    let subject = PassthroughSubject<Int, Never>()
    var seen: [String] = []
    let subscription = subject.filter { $0 > 1 }.map { "\($0)" }.sink { seen.append($0) }
    for number in 1...3 { subject.send(number) }
    subscription.cancel()
    subject.send(4)
    #expect(seen == ["2", "3"])
  }

  @Test("Combine: merged publishers, the newest of two, and values that are awaited")
  func merging() async {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    var (merged, newest, isOver) = ([Int](), [String](), false)
    let subscriptions = [
      a.merge(with: b).sink(receiveCompletion: { _ in isOver = true }, receiveValue: { merged.append($0) }),
      a.combineLatest(b) { "\($0)\($1)" }.sink { newest.append($0) },
      Publishers.MergeMany([a, b]).merge(with: a, b).first().sink { _ in },
    ]
    for (subject, number) in [(a, 1), (b, 2), (b, 3), (a, 4)] { subject.send(number) }
    a.send(completion: .finished)
    #expect(!isOver)
    b.send(completion: .finished)
    #expect(merged == [1, 2, 3, 4] && isOver && newest == ["12", "13", "43"])
    subscriptions.forEach { $0.cancel() }
    var awaited: [Int] = []
    for await value in [1, 2, 3].publisher.values { awaited.append(value) }
    #expect(awaited == [1, 2, 3])
  }

  /// Changes as objects of CoreBluetooth tell them.
  private final class Lamp: NSObject {
    var level = 1 {
      didSet {
        NotificationCenter.default.post(name: Notification.Name("CoreBluetooth.keyValueChanged"), object: self)
      }
    }
  }

  @Test("os: a lock of C is held by one")
  func unfairLock() {
    let lock = os_unfair_lock_t.allocate(capacity: 1)
    lock.initialize(to: os_unfair_lock())
    os_unfair_lock_lock(lock)
    #expect(!os_unfair_lock_trylock(lock))
    os_unfair_lock_unlock(lock)
    #expect(os_unfair_lock_trylock(lock))
    os_unfair_lock_unlock(lock)
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  @Test("Combine: a property is published, each value once")
  func property() {
    let lamp = Lamp()
    var seen: [Int] = []
    let subscription = lamp.publisher(for: \.level).sink { seen.append($0) }
    for level in [2, 2, 3] { lamp.level = level }
    subscription.cancel()
    lamp.level = 4
    #expect(seen == [1, 2, 3])
  }

  // RFC 7748, 6.1: both ends of Diffie-Hellman have the published secret.
  @Test("CryptoKit: keys of Curve25519 agree as RFC 7748 says")
  func agreement() throws {
    func octets(_ hex: String) -> Data {
      Data(
        stride(from: 0, to: hex.count, by: 2).map { index in
          let start = hex.index(hex.startIndex, offsetBy: index)
          return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16)!
        })
    }
    let alice = try Curve25519.KeyAgreement.PrivateKey(
      rawRepresentation: octets("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"))
    let bob = try Curve25519.KeyAgreement.PrivateKey(
      rawRepresentation: octets("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
    #expect(
      alice.publicKey.rawRepresentation == octets("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
    for (own, other) in [(alice, bob), (bob, alice)] {
      let secret = try own.sharedSecretFromKeyAgreement(with: other.publicKey)
      #expect(
        secret.withUnsafeBytes { Data($0) }
          == octets("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"))
    }
  }

  @Test("CryptoKit: a new symmetric key has its size, and another one is another")
  func symmetricKeys() {
    for size in [SymmetricKeySize.bits128, .bits192, .bits256] {
      let (key, other) = (SymmetricKey(size: size), SymmetricKey(size: size))
      #expect(key.bitCount == size.bitCount && other.bitCount == size.bitCount)
      #expect(key != other)
    }
  }

  @Test("os: a message takes values with their privacy")
  func logging() {
    let message: OSLogMessage = "peer \("Alice", privacy: .public), reason \(19, format: .hex)"
    #expect(message.text == "peer Alice, reason 0x13")
    Logger(subsystem: "test", category: "shims").info("peer \("Alice", privacy: .private)")
    let log = OSLog(subsystem: "test", category: "shims")
    os_log("%@ has %{public}d", log: log, type: .debug, NSNumber(value: 3), 4)
    os_log(.error, log: log, "%@", ["a": 1])
  }

  @Test("Security: random octets fill the buffer")
  func random() {
    var octets = [UInt8](repeating: 0, count: 64)
    #expect(SecRandomCopyBytes(kSecRandomDefault, octets.count, &octets) == errSecSuccess)
    #expect(Set(octets).count > 8)
  }
}
