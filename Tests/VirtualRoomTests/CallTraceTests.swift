import AppSeam
import Bench
import CoreBluetooth
import GuideApps
import SimKernel
import Testing
import VirtualRoom

@Suite("Calls and callbacks in the trace")
struct CallTraceTests {
  @Test("A guest's calls and callbacks stand in the trace by their names, in their order")
  func names() throws {
    final class Calls: TraceReader {
      var lines: [String] = []
      func begin(_ header: TraceHeader) {}
      func end(_ outcome: RunOutcome) {}
      func read(_ record: TraceRecord) {
        guard record.device == 1, case .report(let report) = record.event else { return }
        switch report.among(CallWord.self) {
        case .call(let method)?: lines.append("> " + method)
        case .callback(let method)?: lines.append("< " + method)
        case nil: break
        }
      }
    }
    let room = VirtualRoom()
    let calls = Calls()
    room.readers.append(calls)
    _ = room.phone("host") { ChatHost(queue: .main) }
    let guest = room.phone("guest") { ChatGuest(queue: .main) }
    try room.wait(within: .seconds(10)) { guest.app?.isConnected == true }
    #expect(
      calls.lines == [
        "< centralManagerDidUpdateState(_:)", "> CBCentralManager.scanForPeripherals",
        "< centralManager(_:didDiscover:advertisementData:rssi:)", "> CBCentralManager.stopScan",
        "> CBCentralManager.connect", "< centralManager(_:didConnect:)", "> CBPeripheral.discoverServices",
        "< peripheral(_:didDiscoverServices:)", "> CBPeripheral.discoverCharacteristics",
        "< peripheral(_:didDiscoverCharacteristicsFor:error:)", "> CBPeripheral.setNotifyValue",
        "< peripheral(_:didUpdateNotificationStateFor:error:)",
      ])
  }
}
