import BluetoothWire
import SimKernel
import VirtualRadio

extension FuzzedDecoder {
  /// A controller just switched on, alone in its room: packets one after another, each with an octet before it that
  /// counts it. Each command that is a packet at all is answered by one Command Complete or Command Status.
  static let controller = FuzzedDecoder(
    "controller", "H4 packets at a controller, one after another",
    in: [
      "Sources/VirtualRadio/Controller/Controller+Seat.swift", "Sources/BluetoothWire/HCI/HCI+CommandAllowance.swift",
    ],
    limit: 1_024,
    valid: { stream in
      (0..<1 + stream.number(below: 6)).flatMap { _ in
        let parameters = stream.octets([0, 1, 2, 8, 15, 25][stream.number(below: 6)])
        let packet = [0x01, UInt8(stream.number(below: 0x70)), 0x20, UInt8(parameters.count)] + parameters
        return [UInt8(packet.count)] + packet
      }
    },
    decode: { input in
      let timeline = Timeline()
      let world = RadioWorld(
        timeline: timeline, environment: .ideal, seed: 1,
        radios: [
          RadioConfiguration(
            name: "a", address: BluetoothAddress(kind: .publicDevice, bits: 0x00A0_5000_0001),
            position: Position(x: 0, y: 0))
        ])
      let controller = world.controllers[0]
      var (rest, kinds) = (input[...], UInt64(0))
      while let count = rest.popFirst() {
        let packet = Array(rest.prefix(Int(count)))
        rest = rest.dropFirst(Int(count))
        controller.submit(h4: packet)
        var answers = 0
        while let message = controller.popForHost() {
          let octets = message.h4Octets
          answers += HCI.commandAllowance(h4: octets) == nil ? 0 : 1
          kinds = RandomStream.mix(kinds ^ UInt64(octets[1]) << 8 ^ UInt64(octets.count > 6 ? octets[6] : 0))
        }
        let isCommand = packet.count >= 4 && packet[0] == HCI.PacketIndicator.command
        if isCommand, answers != 1 { return .broken("a command has \(answers == 0 ? "no answer" : "several answers")") }
      }
      return .accepted(kind: kinds & 0xFF, canonical: nil)
    })
}
