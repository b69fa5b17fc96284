import CaptureFormats
import Expectations
import NetworkWire
import Testing

@testable import CaptureCheck

@Suite("Streams and names that others captured")
struct StreamForeignTests {
  @Test("A conversation on one machine is told from SYN to the last FIN")
  func loopback() throws {
    let read = try NetworkRecorder.read(file: ForeignNetwork.loopback)
    equal(
      read.lines,
      [
        "1 opened 0", "4 client 0: world", "5 acked 0 client 5", "6 server 0: hello world", "7 acked 0 server 11",
        "8 fin server", "10 fin client", "10 ended 0 finished",
      ])
    let stream = read.streams[0]
    expect(stream.client.description == "127.0.0.1:46556" && stream.server.description == "127.0.0.1:5555")
    // tshark: tcp.seq_raw of packets 1 and 2.
    equal(stream[initialSequenceOf: .client], 3_828_829_335)
    equal(stream[initialSequenceOf: .server], 3_737_738_567)
    expect(stream.isOpenerKnown && stream.isFromStart(.client) && stream.isFromStart(.server))
    expect(stream.interfaceName == "lo" && stream.viewpoint == nil)
  }

  @Test("A conversation over IPv6 in Linux's cooked packets is told as well")
  func cooked() throws {
    let read = try NetworkRecorder.read(file: ForeignNetwork.cooked2)
    equal(
      read.story,
      [
        "1 opened 0", "4 client 0: world", "6 server 0: hello world", "8 fin server", "10 fin client",
        "10 ended 0 finished",
      ])
    equal(read.streams[0].server.description, "[::1]:5556")
  }

  @Test("What the capturer cut off is a gap of as many octets as the headers say")
  func snapped() throws {
    let read = try NetworkRecorder.read(file: ForeignNetwork.snapped)
    equal(
      read.story,
      [
        "1 opened 0", "4 gap client 0+5 snapped", "6 gap server 0+11 snapped", "8 fin server", "10 fin client",
        "10 ended 0 finished",
      ])
  }

  @Test("A capture that begins in the middle says so, and its octets count from where it begins")
  func midway() throws {
    let records = try NetworkScript.records(ForeignNetwork.loopback)
    let read = NetworkRecorder.read(Array(records[5...]))
    equal(
      read.story,
      [
        "6 opened 0 midway", "6 server 0: hello world".replacing("server", with: "client"), "8 fin client",
        "10 fin server", "10 ended 0 finished",
      ])
    expect(!read.streams[0].isFromStart(.client) && !read.streams[0].isOpenerKnown)
  }

  @Test("Services are announced with host, port and addresses, and taken back")
  func services() throws {
    var script = NetworkScript()
    for frame in ForeignNetwork.names { script.add(frame: frame) }
    let read = NetworkRecorder.read(script.records)
    equal(read.lines, ["2 announced Anna's desk", "3 withdrawn Anna's desk"])
    let service = try required(read.services.first)
    expect(service.type == "_http._tcp" && service.port == 8_080)
    equal(service.name.description, "Anna's desk._http._tcp.local.")
    expect(service.host == "anna.local" && service.addresses.map(\.description) == ["fe80::1"])
    equal(service.text, [Array("path=/".utf8)])
    // Said again it is no news, and after its withdrawal it is.
    script = NetworkScript()
    for index in [1, 1, 2, 2, 1] { script.add(frame: ForeignNetwork.names[index]) }
    equal(
      NetworkRecorder.read(script.records).lines,
      [
        "1 announced Anna's desk", "3 withdrawn Anna's desk", "5 announced Anna's desk",
      ])
  }
}
