import AppSeam
import Bench
import BluetoothWire
import CoreBluetooth
import Expectations
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
      var host = ""
      func begin(_ header: TraceHeader) { host = header.devices[0].address.description }
      func read(_ record: TraceRecord) {
        guard record.device == 1, case .report(let report) = record.event else { return }
        switch report.among(CallWord.self) {
        // It depends on the environment of the tests.
        case .remark(CallWord.notVirtual, _, _)?: break
        case let word? where word.peer == nil || word.peer == host: lines.append(Self.sign(word) + word.text)
        case let word?: lines.append("another peer: \(word)")
        case nil: break
        }
      }
      static func sign(_ word: CallWord) -> String {
        switch word {
        case .call: "> "
        case .callback: "< "
        case .remark: "! "
        }
      }
    }
    let room = VirtualRoom()
    let calls = Calls()
    room.readers.append(calls)
    _ = room.phone("host") { ChatHost(queue: .main) }
    let guest = room.phone("guest") { ChatGuest(queue: .main) }
    try room.wait(within: .seconds(10)) { guest.app?.isConnected == true }
    equal(
      calls.lines,
      [
        "< centralManagerDidUpdateState(poweredOn)",
        "> CBCentralManager.scanForPeripherals(withServices: [6E400001…], options: nil)",
        "< centralManager(didDiscover: peripheral, advertisementData: name nil, services [6E400001…], rssi: -12 dBm)",
        "> CBCentralManager.stopScan()", "> CBCentralManager.connect(peripheral, options: nil)",
        "< centralManager(didConnect: peripheral)",
        "> CBPeripheral.discoverServices([6E400001…])", "< peripheral(didDiscoverServices: nil)",
        "> CBPeripheral.discoverCharacteristics([6E400002…], for: 6E400001…)",
        "< peripheral(didDiscoverCharacteristicsFor: 6E400001… [6E400002…], error: nil)",
        "> CBPeripheral.setNotifyValue(true, for: 6E400002…)",
        "< peripheral(didUpdateNotificationStateFor: 6E400002… on, error: nil)",
      ])
  }
}
