import BluetoothWire
import CaptureCheck
import Platform
import VirtualRadio

/// What captures say about one device in one role, value by value.
struct FittedDevice {
  /// A key of a scenario's `phone`; the order is that of the file.
  enum Key: String, CaseIterable {
    case attMTU = "att mtu"
    case exchangesATTMTU = "exchanges att mtu"
    case aclBuffers = "acl buffers"
    case aclOctets = "acl octets"
    case dataLength = "data length"
    case supports2M = "2m"
    case prefers2M = "prefers 2m"
    case packetsPerEvent = "packets per event"
    case channelSelection2 = "channel selection 2"
    case interval = "connection interval"
    case peripheralLatency = "peripheral latency"
    case supervisionTimeout = "supervision timeout"
    case advertisingInterval = "advertising interval"
  }

  /// How good a value is; the best one that there is counts.
  enum Grade: Int {
    /// The device itself said it.
    case said
    /// Both ends agreed on it, so the device can do at least that.
    case negotiated
    /// From times.
    case estimated
  }

  struct Vote {
    var key: Key
    var value: Int
    var grade: Grade
    var source: String
    /// How often it was seen.
    var samples: Int
  }

  /// What came out for a key.
  struct Value: Equatable {
    var key: Key
    package var value: Int
    var grade: Grade
    var source: String
    var samples: Int
    /// Other values that votes of the same grade had, ascending.
    var others: [Int]
  }

  var address: BluetoothAddress?
  var role: HCI.Role
  private var votes: [Vote] = []

  init(address: BluetoothAddress?, role: HCI.Role) {
    self.address = address
    self.role = role
  }

  mutating func vote(_ key: Key, _ value: Int, _ grade: Grade, _ source: String, samples: Int = 1) {
    if let index = votes.firstIndex(where: { $0.key == key && $0.value == value && $0.grade == grade }) {
      votes[index].samples += samples
    } else {
      votes.append(Vote(key: key, value: value, grade: grade, source: source, samples: samples))
    }
  }

  mutating func vote(_ key: Key, _ value: Bool, _ grade: Grade, _ source: String) {
    vote(key, value ? 1 : 0, grade, source)
  }

  /// The value of the best grade that was seen most often, and the smallest of these.
  var values: [Value] {
    Key.allCases.compactMap { key in
      let all = votes.filter { $0.key == key }
      guard let grade = all.map(\.grade.rawValue).min() else { return nil }
      let best = all.filter { $0.grade.rawValue == grade }.sorted { ($1.samples, $0.value) < ($0.samples, $1.value) }
      let first = best[0]
      return Value(
        key: key, value: first.value, grade: first.grade, source: first.source, samples: first.samples,
        others: best.dropFirst().map(\.value).sorted())
    }
  }

  /// What a preset has for a key, in the same units.
  static func value(of key: Key, in phone: PhonePreset, role: HCI.Role) -> Int {
    switch key {
    case .attMTU: role == .central ? phone.att.clientMTU : phone.att.serverMTU
    case .exchangesATTMTU: phone.att.exchangesAutomatically || phone.att.appMayExchange ? 1 : 0
    case .aclBuffers: phone.buffers.aclCount
    case .aclOctets: phone.buffers.aclOctets
    case .dataLength: Int(phone.radio.maximumDataOctets)
    case .supports2M: phone.radio.supports2M ? 1 : 0
    case .prefers2M: phone.radio.prefers2M ? 1 : 0
    case .packetsPerEvent: phone.radio.packetsPerEvent
    case .channelSelection2: phone.radio.supportsChannelSelection2 ? 1 : 0
    case .interval: Int(phone.connection.initial.intervalMinimum)
    case .peripheralLatency: Int(phone.connection.initial.peripheralLatency)
    case .supervisionTimeout: Int(phone.connection.initial.supervisionTimeout)
    case .advertisingInterval: Int(phone.advertising.interval)
    }
  }

  /// As scenario files write it.
  static func text(_ key: Key, _ value: Int) -> String {
    switch key {
    case .attMTU, .aclBuffers, .aclOctets, .dataLength, .packetsPerEvent, .peripheralLatency: String(value)
    case .exchangesATTMTU, .supports2M, .prefers2M, .channelSelection2: value == 0 ? "no" : "yes"
    case .interval: StatsText.interval(UInt16(clamping: value)) + "ms"
    case .supervisionTimeout: "\(value * 10)ms"
    case .advertisingInterval: StatsText.advertisingInterval(UInt32(clamping: value)) + "ms"
    }
  }

  /// What scenario files take; anything else is left out, as a phone that could not be.
  static func limits(_ key: Key) -> ClosedRange<Int> {
    switch key {
    case .attMTU: 23...517
    case .aclBuffers: 1...1_000
    case .aclOctets: 27...1_021
    case .dataLength: 27...251
    case .packetsPerEvent: 0...1_000
    case .peripheralLatency: 0...499
    case .interval: 6...3_200
    case .supervisionTimeout: 10...3_200
    case .advertisingInterval: 32...16_384
    case .exchangesATTMTU, .supports2M, .prefers2M, .channelSelection2: 0...1
    }
  }
}
