import CoreBluetooth
import Foundation
import GuideApps
import Testing

@Suite("Names that public code uses")
struct NamesTests {
  @Test("Every name of the independent check compiles in language mode 5")
  func names() {
    #expect(NamesUsed.types.count == 27)
    #expect(NamesUsed.keys.allSatisfy { $0.hasPrefix("kCB") })
  }

  @Test("Errors are looked at as apps do")
  func errors() {
    #expect(NamesUsed.reason(nil) == "none")
    #expect(NamesUsed.reason(CBError(.peripheralDisconnected)) == "disconnected")
    #expect(NamesUsed.reason(CBError(.connectionTimeout)) == "6 6")
    #expect(NamesUsed.reason(NSError(domain: "other", code: 1)) == "other")
  }
}
