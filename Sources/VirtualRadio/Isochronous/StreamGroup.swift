import BluetoothWire
import SimKernel

/// A connected isochronous group of a central (Vol 4, Part E, 7.8.97; Vol 6, Part B, 4.5.14).
final class StreamGroup {
  /// What the host has asked for, with one command or the other.
  enum Wish {
    case parameters(HCI.CIGParameters)
    case test(HCI.CIGTestParameters)
  }

  let id: UInt8
  private(set) var wish: Wish
  private(set) var plan: StreamPlan
  private(set) var handles: [HCI.ConnectionHandle]
  /// No stream of it was ever created: its parameters may change.
  var isConfigurable = true
  /// One of its reference points, as long as it has streams on the air.
  var reference: SimInstant?

  init(_ id: UInt8, _ wish: Wish, _ plan: StreamPlan, handles: [HCI.ConnectionHandle]) {
    (self.id, self.wish, self.plan, self.handles) = (id, wish, plan, handles)
  }

  func take(_ wish: Wish, _ plan: StreamPlan, handles: [HCI.ConnectionHandle]) {
    (self.wish, self.plan, self.handles) = (wish, plan, handles)
  }

  func place(of handle: HCI.ConnectionHandle) -> Int? { handles.firstIndex(of: handle) }
}

extension StreamGroup.Wish {
  /// What a new command makes of it: streams that are named again change, others stay; nil: the two commands do not go
  /// together.
  func updated(by new: Self) -> Self? {
    switch (self, new) {
    case (.parameters(let old), .parameters(var new)):
      new.streams = merge(old.streams, new.streams, \.stream)
      return .parameters(new)
    case (.test(let old), .test(var new)):
      new.streams = merge(old.streams, new.streams, \.stream)
      return .test(new)
    default: return nil
    }
  }

  private func merge<Entry>(_ old: [Entry], _ new: [Entry], _ id: KeyPath<Entry, UInt8>) -> [Entry] {
    let kept = old.map { entry in new.last { $0[keyPath: id] == entry[keyPath: id] } ?? entry }
    return kept + new.filter { entry in !old.contains { $0[keyPath: id] == entry[keyPath: id] } }
  }

  var common: HCI.CIGCommon {
    switch self {
    case .parameters(let wish): wish.common
    case .test(let wish): wish.common
    }
  }

  /// CIS_IDs in the order of the group's handles.
  var streams: [UInt8] {
    switch self {
    case .parameters(let wish): wish.streams.map(\.stream)
    case .test(let wish): wish.streams.map(\.stream)
    }
  }

  /// Ranges of Vol 4, Part E, 7.8.97 and 7.8.98.
  var isValid: Bool {
    let intervals = [common.centralSDUInterval, common.peripheralSDUInterval]
    guard common.group <= 0xEF, intervals.allSatisfy({ (0xFF...0x0F_FFFF).contains($0) }), common.worstClock <= 7,
      common.packing <= 1, common.framing <= 1, streams.count <= 31, Set(streams).count == streams.count,
      streams.allSatisfy({ $0 <= 0xEF })
    else { return false }
    switch self {
    case .parameters(let wish):
      return [wish.centralLatency, wish.peripheralLatency].allSatisfy { (5...4_000).contains($0) }
        && wish.streams.allSatisfy {
          $0.centralSDU <= 0x0FFF && $0.peripheralSDU <= 0x0FFF && !$0.centralPHY.isEmpty && !$0.peripheralPHY.isEmpty
        }
    case .test(let wish):
      return wish.centralFlushTimeout > 0 && wish.peripheralFlushTimeout > 0 && (4...3_200).contains(wish.interval)
        && wish.streams.allSatisfy {
          (1...31).contains($0.subevents) && $0.centralSDU <= 0x0FFF && $0.peripheralSDU <= 0x0FFF
            && $0.centralPDU <= 251 && $0.peripheralPDU <= 251 && $0.centralPHY.count == 1
            && $0.peripheralPHY.count == 1 && $0.centralBurst <= min(15, $0.subevents)
            && $0.peripheralBurst <= min(15, $0.subevents)
        }
    }
  }
}
