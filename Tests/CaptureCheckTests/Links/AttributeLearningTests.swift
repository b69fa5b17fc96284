import BluetoothWire
import Expectations
import Testing

@testable import CaptureCheck

@Suite("ATT_MTU and what handles mean", .serialized)
struct AttributeLearningTests {
  private func connected(role: UInt8 = 0) -> HCIScript {
    let script = HCIScript()
    script.connect(0x40, role: role)
    return script
  }

  @Test(
    "ATT_MTU is the lesser of both, at least 23, whoever asks",
    arguments: [(false, 185, 517, 185), (true, 517, 100, 100), (false, 20, 517, 23), (true, 517, 5, 23)])
  func exchange(toHost: Bool, client: UInt16, server: UInt16, mtu: Int) {
    let script = connected()
    script.att(0x40, toHost: toHost, "02" + HCIScript.text(client))
    equal(script.links[0].attMTU, 23)
    script.att(0x40, toHost: !toHost, "03" + HCIScript.text(server))
    expect(script.links[0].attMTU == mtu && script.recorder.changes == [.attMTU])
    expect(script.links[0].clientRxMTU == Int(client) && script.links[0].serverRxMTU == Int(server))
  }

  @Test("A refused exchange, and an answer without its request, leave ATT_MTU as it was")
  func refused() {
    let script = connected()
    script.att(0x40, toHost: false, "02 0502")
    script.att(0x40, toHost: true, "01 02 0000 06")
    script.att(0x40, toHost: true, "03 0502")
    expect(script.links[0].attMTU == 23 && script.recorder.changes.isEmpty)
    let middle = HCIScript()
    middle.att(0x40, toHost: true, "03 0502")
    expect(middle.links[0].attMTU == nil && middle.links[0].serverRxMTU == 517)
  }

  @Test("Services, characteristics and descriptors, of 16 and 128 bits, from every request of discovery")
  func discovery() {
    let script = connected()
    let long = "0F0E0D0C0B0A09080706050403020100"
    script.att(0x40, toHost: false, "10 0100 FFFF 0028")
    script.att(0x40, toHost: true, "11 06 0100 0900 0018 0A00 0D00 0118")
    script.att(0x40, toHost: false, "10 0E00 FFFF 0028")
    script.att(0x40, toHost: true, "11 14 0E00 2000 \(long)")
    script.att(0x40, toHost: false, "06 0100 FFFF 0028 0F18")
    script.att(0x40, toHost: true, "07 3000 3300")
    script.att(0x40, toHost: false, "08 0100 FFFF 0328")
    script.att(0x40, toHost: true, "09 07 0200 02 0300 002A 0B00 20 0C00 052A")
    script.att(0x40, toHost: false, "08 0E00 2000 0328")
    script.att(0x40, toHost: true, "09 15 0F00 10 1000 \(long)")
    script.att(0x40, toHost: false, "04 1100 2000")
    script.att(0x40, toHost: true, "05 01 1100 0229")
    script.att(0x40, toHost: false, "04 1200 2000")
    script.att(0x40, toHost: true, "05 02 1200 \(long)")
    script.att(0x40, toHost: false, "04 3000 3300")
    script.att(0x40, toHost: true, "05 01 3000 0028 3100 0328 3200 192A 3300 0229")
    let map = script.links[0].attributesOfPeripheral
    equal(
      map.services.map { "\($0.uuid) \($0.start)-\($0.end)" },
      [
        "1800 1-9", "1801 10-13", "00010203-0405-0607-0809-0A0B0C0D0E0F 14-32", "180F 48-51",
      ])
    equal(
      map.characteristics.map { "\($0.uuid) \($0.declaration) \($0.value) \($0.properties.rawValue)" },
      [
        "2A00 2 3 2", "2A05 11 12 32", "00010203-0405-0607-0809-0A0B0C0D0E0F 15 16 16", "2A19 49 50 0",
      ])
    equal(
      map.descriptors.map { "\($0.uuid) \($0.handle)" },
      [
        "2902 17", "00010203-0405-0607-0809-0A0B0C0D0E0F 18", "2902 51",
      ])
    expect(map.characteristic(owning: 0x11)?.value == 0x10 && map.characteristic(owning: 0x2F) == nil)
    expect(map.service(holding: 0x20)?.start == 14 && map.service(holding: 0x21) == nil)
    equal(script.links[0].attributesOfCentral.count, 0)
  }

  @Test("Either end is a server, at the same time")
  func bothWays() {
    let script = connected(role: 1)
    script.att(0x40, toHost: true, "08 0100 FFFF 002A")
    script.att(0x40, toHost: false, "08 0100 FFFF 0328")
    script.att(0x40, toHost: false, "09 05 0300 414243")
    script.att(0x40, toHost: true, "09 07 0700 02 0800 192A")
    equal(script.links[0].attributesOfPeripheral.characteristic(value: 3)?.uuid, BluetoothUUID(0x2A00))
    equal(script.links[0].attributesOfCentral.characteristic(value: 8)?.uuid, BluetoothUUID(0x2A19))
  }

  @Test("An answer to another request, a refusal, and malformed answers teach nothing")
  func strangers() {
    let script = connected()
    script.att(0x40, toHost: true, "09 07 0200 02 0300 002A")
    script.att(0x40, toHost: false, "08 0100 FFFF 0328")
    script.att(0x40, toHost: true, "01 08 0100 0A")
    script.att(0x40, toHost: true, "09 07 0200 02 0300 002A")
    for answer in ["09", "09 07", "09 00 0200", "09 07 0200 02", "09 05 0200 02 0300", "05 01 0300", "11 06 0100"] {
      script.att(0x40, toHost: false, "08 0100 FFFF 0328")
      script.att(0x40, toHost: true, answer)
    }
    equal(script.links[0].attributesOfPeripheral.count, 0)
  }

  @Test("Service Changed forgets its range; a service that overlaps others replaces them")
  func changes() {
    let script = connected()
    script.att(0x40, toHost: false, "10 0100 FFFF 0028")
    script.att(0x40, toHost: true, "11 06 0100 0900 0118 0A00 1D00 0F18")
    script.att(0x40, toHost: false, "08 0100 FFFF 0328")
    script.att(0x40, toHost: true, "09 07 0200 20 0300 052A 0B00 10 0C00 192A 1300 10 1400 1A2A")
    script.att(0x40, toHost: true, "1D 0300 1300 FFFF")
    let map = script.links[0].attributesOfPeripheral
    expect(map.services.map(\.start) == [1] && map.characteristics.map(\.value) == [3, 12])
    script.att(0x40, toHost: false, "10 0100 FFFF 0028")
    script.att(0x40, toHost: true, "11 06 0B00 2000 0A18")
    expect(map.services.map(\.start) == [1, 11] && map.characteristics.map(\.value) == [3, 12])
    script.att(0x40, toHost: false, "10 0100 FFFF 0028")
    script.att(0x40, toHost: true, "11 06 0A00 1D00 0F18")
    expect(map.services.map(\.start) == [1, 10] && map.characteristics.map(\.value) == [3])
  }

  @Test("A later link to the same address begins with what is known; one to another does not")
  func kept() {
    let script = connected()
    script.att(0x40, toHost: false, "08 0100 FFFF 0328")
    script.att(0x40, toHost: true, "09 07 0200 02 0300 002A")
    script.disconnect(0x40)
    script.connect(0x41, peer: 1)
    script.connect(0x42, peer: 2)
    equal(script.links[1].attributesOfPeripheral.characteristic(value: 3)?.uuid, BluetoothUUID(0x2A00))
    expect(script.links[2].attributesOfPeripheral.isEmpty)
  }

  @Test("A server of all handles, backwards, is known as far as the limit, and links without end stay within theirs")
  func limits() {
    let map = AttributeMap()
    for handle in stride(from: UInt16(0xFFFF), through: 1, by: -1) {
      map.learn(descriptor: BluetoothUUID(0x2902), at: handle)
    }
    equal(map.descriptors.count, TrafficLimits.attributesOfServer)
    let script = HCIScript()
    for index in 0..<(TrafficLimits.links + 100) {
      script.connect(UInt16(index % 0x0F00), peer: UInt8(index & 0xFF))
    }
    equal(script.reader.links.count, TrafficLimits.links)
    equal(script.reader.linkCount, TrafficLimits.links + 100)
    expect(script.reader.links.filter(\.isUp).count <= TrafficLimits.liveLinks)
  }

  @Test("Beyond the limit of all attributes, the servers that were left first are forgotten")
  func budget() {
    let knowledge = ServerKnowledge()
    let servers = TrafficLimits.attributes / TrafficLimits.attributesOfServer + 8
    var maps: [AttributeMap] = []
    for index in 0..<servers {
      let map = knowledge.map(of: BluetoothAddress(kind: .random, bits: UInt64(index)))
      knowledge.use(map)
      for handle in UInt16(1)...UInt16(TrafficLimits.attributesOfServer) {
        knowledge.teach(map) { $0.learn(descriptor: BluetoothUUID(0x2902), at: handle) }
      }
      knowledge.release(map)
      maps.append(map)
    }
    expect(knowledge.total <= TrafficLimits.attributes)
    equal(knowledge.total, maps.map(\.count).reduce(0, +))
    expect(maps[0].count == 0 && maps[servers - 1].count == TrafficLimits.attributesOfServer)
    expect(knowledge.map(of: BluetoothAddress(kind: .random, bits: 0)) !== maps[0])
  }

  @Test("Credit-based channels are known from their set-up, and their frames are never ATT")
  func creditBased() {
    let script = connected()
    script.frame(0x40, toHost: false, channel: 5, "14 07 0A00 2700 4000 0002 0002 0A00")
    script.frame(0x40, toHost: true, channel: 5, "15 07 0A00 4100 0002 0002 0A00 0000")
    let channel = script.links[0].creditBasedChannels.first
    equal(channel?.peripheralEnd.rawValue, 0x41)
    expect(channel?.spsm == 0x27 && channel?.centralEnd.rawValue == 0x40)
    script.frame(0x40, toHost: false, channel: 0x41, "0300 1B 1000")
    expect(script.recorder.att.isEmpty)
    script.frame(0x40, toHost: true, channel: 5, "06 01 0400 4000 4100")
    expect(script.links[0].creditBasedChannels.isEmpty)
  }
}
