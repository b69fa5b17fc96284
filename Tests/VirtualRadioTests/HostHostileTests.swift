import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@Suite("Hostile peers: nothing traps, and every PDU gets what its clause allows")
struct HostHostileTests {
  static let requests: [UInt8] = [0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20]

  /// Core v5.4, Vol 3, Part F, 3.3: a request gets its response or an error naming it, an indication its confirmation,
  /// anything else that is no command and no known opcode Request Not Supported, and the rest silence.
  private func check(_ pdu: [UInt8], _ answers: [ATT.PDU], mtu: Int) {
    guard let opcode = pdu.first else { return equal(answers, []) }
    for answer in answers { expect(answer.octets.count <= max(mtu, 23), "\(pdu)") }
    let silent: [UInt8] = [0x1B, 0x1E, 0x23]
    if Self.requests.contains(opcode) {
      equal(answers.count, 1, "\(pdu)")
      guard let answer = answers.first else { return }
      if case .errorResponse(let request, _, _) = answer {
        equal(request.rawValue, opcode)
      } else {
        equal(answer.opcode.rawValue, opcode + 1)
      }
    } else if opcode == 0x1D, pdu.count >= 3 {
      equal(answers, [.handleValueConfirmation])
    } else if opcode & 0x40 != 0 || opcode <= 0x21 && opcode % 2 == 1 && ![0x15, 0x1F].contains(opcode)
      || silent.contains(opcode)
    {
      equal(answers, [], "\(pdu)")
    } else {
      equal(
        answers, [.errorResponse(request: ATT.Opcode(rawValue: opcode), handle: 0, code: .requestNotSupported)],
        "\(pdu)")
    }
  }

  @Test("Every prefix and every bit flip of every kind of PDU")
  func prefixesAndFlips() {
    let host = HandDrivenHost()
    for (request, _) in HostServerTests.table {
      let octets = request.octets
      for count in 0..<octets.count {
        check(Array(octets[..<count]), host.att(Array(octets[..<count])), mtu: 23)
      }
      for bit in 0..<octets.count * 8 {
        var flipped = octets
        flipped[bit / 8] ^= 1 << (bit % 8)
        let mtu = host.device.host.attMTU(HandDrivenHost.handle) ?? 0
        check(flipped, host.att(flipped), mtu: max(mtu, host.device.host.attMTU(HandDrivenHost.handle) ?? 0))
      }
    }
  }

  @Test("Random ATT PDUs, with and without a procedure of the client's own under way", arguments: [1, 2, 3, 4])
  func randomPDUs(seed: UInt64) {
    let host = HandDrivenHost(seed % 2 == 0 ? .central : .peripheral)
    var stream = HostileStream(state: seed)
    for round in 0..<4_000 {
      var octets = stream.octets(upTo: 40)
      if !octets.isEmpty, stream.next() % 4 != 0 { octets[0] &= 0x3F }
      if seed > 2, round % 5 == 0 {
        host.device.host.discover(HandDrivenHost.handle, service: loopService)
        host.device.host.discoverServices(HandDrivenHost.handle)
        _ = host.answers()
        _ = host.att(octets)
      } else if seed <= 2 {
        let mtu = host.device.host.attMTU(HandDrivenHost.handle) ?? 0
        check(octets, host.att(octets), mtu: max(mtu, host.device.host.attMTU(HandDrivenHost.handle) ?? 0))
      } else {
        _ = host.att(octets)
      }
      _ = host.device.take()
    }
  }

  @Test("A server that answers discovery with random lists cannot keep the client from ending")
  func hostileServer() {
    var stream = HostileStream(state: 77)
    for _ in 0..<300 {
      let host = HandDrivenHost(.central)
      host.device.host.discover(HandDrivenHost.handle, service: loopService)
      host.device.host.discoverServices(HandDrivenHost.handle)
      host.device.host.read(HandDrivenHost.handle, characteristic: loopState)
      var asked = host.sentPDUs()
      var rounds = 0
      while let request = asked.last, rounds < 200 {
        rounds += 1
        var octets: [UInt8] = [request.opcode.rawValue + 1]
        switch request {
        case .findByTypeValueRequest(let range, _, _):
          octets += [UInt8(truncatingIfNeeded: range.start), UInt8(range.start >> 8)]
          octets +=
            stream.next() % 8 == 0
            ? [0xFF, 0xFF] : [UInt8(truncatingIfNeeded: range.start + 9), UInt8(range.start >> 8)]
        case .readByTypeRequest(let range, _):
          let value = range.start &+ 1
          octets += [7, UInt8(truncatingIfNeeded: range.start), UInt8(range.start >> 8), 0x12]
          octets += [UInt8(truncatingIfNeeded: value), UInt8(value >> 8), 0x3D, 0x2A]
        default: octets += stream.octets(upTo: 22)
        }
        if stream.next() % 3 == 0 {
          octets[Int(stream.next() % UInt64(octets.count))] = UInt8(truncatingIfNeeded: stream.next())
        }
        asked = host.att(octets).filter { Self.requests.contains($0.opcode.rawValue) }
      }
      host.bench.run(to: host.bench.now + .seconds(31))
      let told = host.device.take()
      let isClosed = told.contains(.transactionTimeout(HandDrivenHost.handle))
      let ended = told.filter {
        switch $0 {
        case .servicesDiscovered, .primaryServices, .readCompleted: true
        default: false
        }
      }
      expect(ended.count == 3 || (isClosed && ended.count == 3), "\(told)")
    }
  }

  @Test("A server with thousands of services is cut off at the limit")
  func endlessServer() {
    let host = HandDrivenHost(.central)
    host.device.host.discoverServices(HandDrivenHost.handle)
    var asked = host.sentPDUs()
    var rounds = 0
    while case .readByGroupTypeRequest(let range, _)? = asked.last, rounds < 5_000 {
      rounds += 1
      asked = host.att(
        .readByGroupTypeResponse([.init(handle: range.start, end: range.start, value: [0x0F, 0x18])]))
    }
    equal(rounds, 1_025)
    let found = host.device.take().compactMap { event -> Int? in
      if case .primaryServices(_, let list, _) = event { list.count } else { nil }
    }
    equal(found, [1_024])
  }

  @Test("Random frames on every channel, in random ACL fragments")
  func randomFrames() {
    let host = HandDrivenHost()
    var stream = HostileStream(state: 5)
    let boundaries: [HCI.ACLData.Boundary] = [.firstFlushable, .continuing, .firstNonFlushable]
    for _ in 0..<20_000 {
      var octets = stream.octets(upTo: 60)
      if octets.count >= 4, stream.next() % 2 == 0 {
        octets[0] = UInt8(truncatingIfNeeded: octets.count - 4 + Int(stream.next() % 3) - 1)
        octets[1] = 0
        octets[2] = UInt8(4 + stream.next() % 4)
        octets[3] = 0
      }
      _ = host.give(octets, boundaries[Int(stream.next() % 3)])
      _ = host.device.take()
    }
    // The stack still works.
    _ = host.give(L2CAP.Frame(channel: .attribute, payload: [0x1E]).octets)
    equal(host.att(.readRequest(19)), [.readResponse(Array("note".utf8))])
  }

  @Test("A peer that asks without end while nothing can be sent makes nothing grow")
  func flood() {
    let host = HandDrivenHost()
    host.device.controller.isStalled = true
    for _ in 0..<2_000 {
      _ = host.give(.attribute, [0x1D, 3, 0])
      _ = host.give(.signalling, [0x14, 1, 0, 0])
      _ = host.give(.securityManager, [0x01, 3, 0, 0, 16, 0, 0])
      _ = host.device.take()
    }
    host.device.controller.isStalled = false
    host.device.controller.release()
    expect(host.answers().count <= 16)
  }
}
