import CoreBluetooth
import Expectations
import Foundation
import GuideApps
import Testing

@Suite("Names that public code uses")
struct NamesTests {
  @Test("Every name of the independent check compiles in language mode 5")
  func names() {
    equal(NamesUsed.types.count, 27)
    expect(NamesUsed.keys.allSatisfy { $0.hasPrefix("kCB") })
  }

  @Test("Errors are looked at as apps do")
  func errors() {
    equal(NamesUsed.reason(nil), "none")
    equal(NamesUsed.reason(CBError(.peripheralDisconnected)), "disconnected")
    equal(NamesUsed.reason(CBError(.connectionTimeout)), "6 6")
    equal(NamesUsed.reason(NSError(domain: "other", code: 1)), "other")
  }
}
