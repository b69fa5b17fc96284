import CLibCrypto
import Foundation

/// What a page may do: nothing beyond itself.
enum PagePolicy {
  /// For pages without a script.
  static let plain = policy(scripts: "'none'")

  /// For a page of the bench: the script at its end, named by its hash (CSP 3, 2.3.1), and no other: neither one that
  /// came into the page with a text, or in an attribute.
  static func page(_ octets: [UInt8]) -> String {
    script(of: octets).map { policy(scripts: "'sha256-\(digest(of: $0))'") } ?? plain
  }

  private static func policy(scripts: String) -> String {
    "default-src 'none'; style-src 'unsafe-inline'; script-src \(scripts); img-src data:; base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'self'"
  }

  /// What stands between the last two tags of a page as the bench writes it; nil: it has no script.
  static func script(of octets: [UInt8]) -> ArraySlice<UInt8>? {
    let (begin, end) = (Array("<script>".utf8), Array("</script></body></html>".utf8))
    var page = octets[...]
    while let last = page.last, last == 0x0A || last == 0x0D { page.removeLast() }
    guard page.suffix(end.count).elementsEqual(end) else { return nil }
    page.removeLast(end.count)
    var place = page.endIndex - begin.count
    while place >= page.startIndex {
      if page[place] == begin[0], page[place..<place + begin.count].elementsEqual(begin) {
        return page[(place + begin.count)...]
      }
      place -= 1
    }
    return nil
  }

  private static func digest(of octets: ArraySlice<UInt8>) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    _ = octets.withUnsafeBufferPointer { EVP_Digest($0.baseAddress, $0.count, &digest, nil, EVP_sha256(), nil) }
    return Data(digest).base64EncodedString()
  }
}
