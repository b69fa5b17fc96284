import BluetoothWire
import SimKernel

/// Periodic advertising of a set: what its host wants, and where the train is (Vol 6, Part B, 4.4.2.12; Vol 4, Part E,
/// 7.8.61 … 7.8.63).
final class PeriodicTrain {
  var parameters: HCI.PeriodicAdvertisingParameters
  /// Its subevents; nil: an ordinary train.
  let plan: SubeventTrain?
  var data: [UInt8] = []
  /// Data of which the host has not given the last fragment.
  var partialData: [UInt8]?
  /// The host has enabled it. It is on the air once its set is enabled, and stays there when the set is disabled.
  var isEnabled = false
  var isOnAir = false
  /// Draws access address, CRC, phase and channels.
  private(set) var stream: RandomStream
  private(set) var accessAddress: UInt32 = 0
  private(set) var crcInit: UInt32 = 0
  private(set) var channelMap = LL.ChannelMap.all
  private(set) var phy = LL.AirPHY.le1M
  /// `paEventCounter` and start of the next AUX_SYNC_IND.
  private(set) var counter: UInt16 = 0
  private(set) var nextStart = SimInstant.zero
  /// The next AUX_SYNC_IND or AUX_CHAIN_IND, or the end of the present one.
  var handle: EventHandle?
  /// Which PDU is on the air, or comes next.
  var kind = LL.ExtendedPDU.Kind.auxSyncInd
  var channelIndex: UInt8 = 0
  var pdu: [UInt8] = []
  var pduStart = SimInstant.zero
  /// Where and when the PDU is that continues the present one; nil: none does.
  var chain: (channelIndex: UInt8, start: SimInstant)?
  var rest: [UInt8] = []
  /// Those that may listen to the present PDU, or to the one that continues it.
  var listeners: [PeriodicSync] = []

  init(
    _ parameters: HCI.PeriodicAdvertisingParameters, stream: RandomStream, subevents: HCI.SubeventParameters? = nil
  ) {
    self.parameters = parameters
    plan = subevents.map(SubeventTrain.init)
    self.stream = stream
  }

  /// By the device's clock; the shortest that the host allows.
  var interval: SimDuration { .microseconds(1_250) * Int64(parameters.intervalMinimum) }

  /// A new train: its first AUX_SYNC_IND comes within an interval, drawn, so that devices switched on together are not
  /// in step.
  func begin(_ address: (inout RandomStream) -> UInt32, _ map: UInt64, _ phy: LL.AirPHY, at now: SimInstant) {
    accessAddress = address(&stream)
    crcInit = UInt32(truncatingIfNeeded: stream.next()) & 0xFF_FFFF
    if let plan { plan.accessAddress = address(&stream) }
    nextStart = now + .nanoseconds(Int64(stream.below(UInt64(interval.nanoseconds))))
    (channelMap, self.phy, counter, isOnAir, kind, chain) = (LL.ChannelMap(bits: map), phy, 0, true, firstKind, nil)
  }

  /// What an event begins with, or a subevent.
  var firstKind: LL.ExtendedPDU.Kind { plan == nil ? .auxSyncInd : .auxSyncSubeventInd }
  /// The PDU continues no other one.
  var isFirst: Bool { kind != .auxChainInd }

  /// A program sends it, which keeps its times and channels itself.
  func take(_ accessAddress: UInt32, _ phy: LL.AirPHY) { (self.accessAddress, self.phy) = (accessAddress, phy) }

  /// A periodic advertising event begins.
  func beginEvent(before next: SimDuration) {
    channelIndex = LL.ChannelSelection2.channel(
      eventCounter: counter, accessAddress: accessAddress, map: channelMap)
    rest = data
    skip(before: next)
  }

  /// A subevent begins, of the event that a counter had.
  func beginSubevent(_ subevent: UInt8, of counter: UInt16) {
    channelIndex = LL.ChannelSelection2.channel(
      eventCounter: counter, subevent: subevent, accessAddress: accessAddress, map: channelMap)
    rest = plan?.data[Int(subevent)]?.data ?? []
  }

  /// The next event is another one.
  func skip(before next: SimDuration) {
    counter &+= 1
    nextStart = nextStart + next
  }

  func drawChannel() -> UInt8 { channelMap.draw(&stream) }

  /// The fields that a PDU has beside data and AuxPtr.
  func head(of kind: LL.ExtendedPDU.Kind, power: Int8) -> LL.ExtendedPDU {
    var pdu = LL.ExtendedPDU()
    if kind != .auxChainInd, parameters.includesTxPower { pdu.txPower = power }
    return pdu
  }

  /// Octets of data for which an interval has time.
  func room(on phy: LL.AirPHY) -> Int {
    var first = head(of: .auxSyncInd, power: 0)
    let single = first.room
    let whole = Int(interval.nanoseconds / RadioWorld.longestSpan(phy).nanoseconds)
    if whole > 1 {
      // All but the last PDU have AuxPtr.
      let pointer = LL.ExtendedPDU.Pointer(
        channelIndex: 0, isAccurate: true, hasLongUnits: false, offset: 0, phy: phy.phy)
      var middle = LL.ExtendedPDU()
      first.pointer = pointer
      middle.pointer = pointer
      return first.room + (whole - 2) * middle.room + LL.ExtendedPDU().room
    }
    // The payload of a single PDU that ends within the interval.
    let octets = (1...LL.ExtendedPDU.maximumPayload).last {
      LL.airTime(payloadLength: $0, phy: phy) < interval.nanoseconds
    }
    return max(0, single - LL.ExtendedPDU.maximumPayload + (octets ?? 0))
  }
}
