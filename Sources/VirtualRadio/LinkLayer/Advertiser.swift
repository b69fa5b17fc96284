import BluetoothWire
import SimKernel

/// The advertising state of one radio (Vol 6, Part B, 4.4.2; legacy advertising only).
struct Advertiser {
  /// A device that answered an advertising PDU.
  struct Response {
    var radio: Int
    /// CONNECT_IND; nil is SCAN_REQ.
    var connect: LL.ConnectInd?
    var pdu: [UInt8]
    var start: SimInstant
    var end: SimInstant
  }

  var isEnabled = false
  var parameters = HCI.AdvertisingParameters(intervalMinimum: 0x0800, intervalMaximum: 0x0800)
  var data: [UInt8] = []
  var scanResponse: [UInt8] = []
  var stream: RandomStream
  /// The next advertising event, or the next step of the current one.
  var handle: EventHandle?
  var eventStart = SimInstant.zero
  /// Channel index of the PDU on the air, 37 … 39.
  var channelIndex: UInt8 = 37
  var pduStart = SimInstant.zero
  var pdu: [UInt8] = []
  var responses: [Response] = []

  init(stream: RandomStream) { self.stream = stream }
}

/// The scanning and initiating state of one radio (Vol 6, Part B, 4.4.3 and 4.4.4).
struct Scanner {
  var isScanning = false
  var filtersDuplicates = true
  var parameters = HCI.ScanParameters(isActive: false, interval: 0x0010, window: 0x0010)
  var creation: HCI.CreateConnection?
  /// When the current scanning or initiating began, and on which of the three channels.
  var origin = SimInstant.zero
  var firstChannel: UInt8 = 0
  var stream: RandomStream
  /// Back-off of active scanning (Vol 6, Part B, 4.4.3.2).
  var upperLimit = 1
  var backoffCount = 1
  var successes = 0
  var failures = 0
  /// Advertisers already reported, by kind of report and data; cleared when scanning is enabled.
  var reported: [HCI.AdvertisingReport] = []

  init(stream: RandomStream) { self.stream = stream }

  /// The receiver is on at all.
  var isTuned: Bool { isScanning || creation != nil }

  /// Whether the receiver is tuned to this advertising channel during all of `start ..< end`.
  func listens(channelIndex: UInt8, from start: SimInstant, to end: SimInstant) -> Bool {
    let interval: Int64
    let window: Int64
    if let creation {
      interval = Int64(creation.scanInterval) * 625_000
      window = Int64(creation.scanWindow) * 625_000
    } else {
      interval = Int64(parameters.interval) * 625_000
      window = Int64(parameters.window) * 625_000
    }
    let elapsed = (start - origin).nanoseconds
    guard elapsed >= 0 else { return false }
    let round = elapsed / interval
    let offset = elapsed - round * interval
    guard offset + (end - start).nanoseconds <= window else { return false }
    return UInt8((Int64(firstChannel) + round) % 3) + 37 == channelIndex
  }

  mutating func restart(at now: SimInstant) {
    origin = now
    firstChannel = UInt8(stream.below(3))
  }

  mutating func noteScanResponse(received: Bool) {
    if received {
      failures = 0
      successes += 1
      if successes == 2 {
        successes = 0
        upperLimit = max(1, upperLimit / 2)
      }
    } else {
      successes = 0
      failures += 1
      if failures == 2 {
        failures = 0
        upperLimit = min(256, upperLimit * 2)
      }
    }
    backoffCount = Int(stream.within(1...Int64(upperLimit)))
  }
}
