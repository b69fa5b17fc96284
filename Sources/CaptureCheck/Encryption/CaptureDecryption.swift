package import CaptureFormats

/// Puts the records of one capture in plain, for who writes them again.
package final class CaptureDecryption {
  private let ring: KeyRing
  private let decryption: LinkDecryption

  package init(_ keys: [CaptureKey]) {
    ring = KeyRing(keys)
    decryption = LinkDecryption(file: 0, ring)
  }

  /// The record without ciphertext and MIC where a key fits, as it is otherwise.
  package func read(_ record: CaptureRecord) -> CaptureRecord { decryption.read(record) }

  /// What is to be said of it at the end.
  package var notes: [String] { Checker.notes(on: [decryption], ring, links: []).map(\.text) }
}
