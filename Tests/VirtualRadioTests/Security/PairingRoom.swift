import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing

@testable import VirtualRadio

/// Two host stacks with a link: device 1 is the central, device 0 the peripheral. Users answer as they are told.
final class PairingRoom {
  let room: StackRoom
  /// All that each stack has told since the link was made last.
  private(set) var events: [[HostEvent]] = [[], []]
  /// Handles of the link, by device.
  private(set) var handles: [HCI.ConnectionHandle] = [0, 0]
  /// What the user of each device says to numbers; nil: nothing.
  var acceptsNumber: [Bool?] = [true, true]
  /// What a user types, given what the other device shows (or 424242 when nothing is shown); nil: nothing.
  var types: (Int, UInt32) -> UInt32? = { _, shown in shown }
  private(set) var shown: [UInt32?] = [nil, nil]
  private(set) var asked: [UInt32?] = [nil, nil]
  private var needs = [false, false]
  private var typing = [false, false]
  private var hasAnswered = [false, false]

  /// - Parameter configure: the security of both devices, by their number.
  init(
    seed: UInt64 = 3, configure: (Int, inout SecurityConfiguration) -> Void = { _, _ in },
    change: (Int, inout HostConfiguration) -> Void = { _, _ in }
  ) throws {
    room = StackRoom(
      2, seed: seed,
      configure: { index, configuration in
        var settings = SecurityConfiguration()
        configure(index, &settings)
        configuration.security = settings
        change(index, &configuration)
      })
    room.onEvent = { [unowned self] device, event in
      if case .connected(let handle, _) = event { handles[device] = handle }
      events[device].append(event)
      note(device, event)
    }
    try connect()
  }

  func connect() throws {
    events = [[], []]
    forgetQuestions()
    room.hosts[0].startAdvertising(data: [2, 1, 6], scanResponse: [])
    room.hosts[1].connect(to: RadioBench.address(0))
    for _ in 0..<40 where !(0...1).allSatisfy(isConnected) { room.run(for: .milliseconds(50)) }
    try require((0...1).allSatisfy(isConnected))
  }

  private func isConnected(_ device: Int) -> Bool {
    events[device].contains { if case .connected = $0 { true } else { false } }
  }

  private func note(_ device: Int, _ event: HostEvent) {
    switch event {
    case .passkeyShown(_, let number): shown[device] = number
    case .passkeyNeeded:
      needs[device] = true
      typing[device] = true
    case .pairingConfirm(_, let number): asked[device] = number
    default: break
    }
  }

  /// Runs, and lets the users answer in between.
  func run(for span: SimDuration) {
    let end = room.timeline.now + span
    while room.timeline.now < end {
      room.run(for: .milliseconds(20))
      for device in 0...1 {
        // Where both type, nothing is shown.
        if needs[device], let number = shown[1 - device] ?? (typing == [true, true] ? 424_242 : nil) {
          needs[device] = false
          if let number = types(device, number) {
            room.hosts[device].answerPairing(handles[device], .passkey(number))
          }
        }
        if asked[device] != nil, !hasAnswered[device], let accepts = acceptsNumber[device] {
          hasAnswered[device] = true
          room.hosts[device].answerPairing(handles[device], accepts ? .accept : .refuse)
        }
      }
    }
  }
  func pair(from device: Int = 1) {
    forgetQuestions()
    room.hosts[device].pair(handles[device])
  }

  private func forgetQuestions() {
    (shown, asked) = ([nil, nil], [nil, nil])
    (needs, typing, hasAnswered) = ([false, false], [false, false], [false, false])
  }

  /// Ends the link from the central's side, and waits for both ends.
  func part() {
    room.hosts[1].disconnect(handles[1])
    room.run(for: .seconds(1))
  }

  func level(_ device: Int) -> SecurityLevel { room.hosts[device].securityLevel(of: handles[device]) }

  func changes(_ device: Int) -> [SecurityLevel] {
    events[device].compactMap { if case .securityChanged(_, let level, error: nil) = $0 { level } else { nil } }
  }

  func errors(_ device: Int) -> [PairingError] {
    events[device].compactMap { if case .securityChanged(_, _, let error?) = $0 { error } else { nil } }
  }

  /// The identities with which a device has paired; nil inside for a pairing without a bond.
  func paired(_ device: Int) -> [BluetoothAddress?] {
    events[device].compactMap { if case .paired(_, let identity) = $0 { .some(identity) } else { nil } }
  }

  func violations(_ device: Int) -> [String] {
    events[device].compactMap { if case .protocolViolation(_, let text) = $0 { text } else { nil } }
  }
}
