import CUnix
import CaptureFormats

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A live capture by libpcap: `bluetooth-monitor`, or one adapter as `bluetoothN`.
///
/// libpcap's own statistics are not usable for these: it says 0 for the one, and the adapter's transmission errors for
/// the other. The kernel's count of the socket is taken instead.
final class PcapSource: PacketSource {
  private static let batch = 512
  private static let snapLength: CInt = 262_144

  let descriptor: CInt
  let drainPatience: CInt = 0
  let bufferOctets: Int?
  private let interface: CaptureInterface
  private let pcap: cpcap_calls
  private let handle: OpaquePointer
  private let linkType: UInt32
  private let nanosecondsPerUnit: Int64
  private var count = 0

  init(_ interface: CaptureInterface, device: String, buffer wanted: Int) throws(PortError) {
    self.interface = interface
    try Self.look(interface)
    guard let pcap = Self.library else { throw PortError("\(interface): \(PortError.noLibpcap)") }
    var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard let handle = pcap.create(device, &text) else {
      throw PortError("\(interface): libpcap cannot capture there: \(PortError.text(text))")
    }
    _ = pcap.set_snaplen(handle, Self.snapLength)
    _ = pcap.set_immediate_mode(handle, 1)
    _ = pcap.set_buffer_size(handle, CInt(clamping: wanted))
    // Refused where times are microseconds, and then they are.
    _ = pcap.set_tstamp_precision(handle, PCAP_TSTAMP_PRECISION_NANO)
    let status = pcap.activate(handle)
    if status < 0 {
      let error = PortError.activation(interface, status, Self.text(pcap.geterr(handle)))
      pcap.close(handle)
      throw error
    }
    self.pcap = pcap
    self.handle = handle
    descriptor = pcap.get_selectable_fd(handle)
    // What has to do with Bluetooth has the same number in both lists of libpcap.
    linkType = UInt32(pcap.datalink(handle))
    nanosecondsPerUnit = pcap.get_tstamp_precision(handle) == PCAP_TSTAMP_PRECISION_NANO ? 1 : 1_000
    bufferOctets = CaptureSocket.enlarge(descriptor, wanted)
  }

  /// What libpcap does not say, or not clearly.
  private static func look(_ interface: CaptureInterface) throws(PortError) {
    #if os(Linux)
      let probe = cbluez_open_channel(CInt(CBLUEZ_NO_ADAPTER), CInt(CBLUEZ_CHANNEL_RAW))
      if probe >= 0 { Descriptor.shut(probe) } else { throw PortError.capturing(interface, code: -probe) }
      if let adapter = interface.adapter {
        var description = cbluez_adapter()
        let code = cbluez_describe(CInt(adapter), &description)
        if code < 0 { throw PortError.capturing(interface, code: -code) }
        // The kernel would still bind the socket, and then hold nearly everything back.
        if !Capabilities.own.contains(.netRaw) { throw PortError.capturing(interface, code: EPERM) }
      }
    #endif
  }

  var kernelDrops: UInt32? { CaptureSocket.drops(descriptor) }

  func collect(into records: inout [CaptureRecord]) throws(PortError) -> Bool {
    let drops = kernelDrops
    var header: UnsafeMutablePointer<pcap_pkthdr>?
    var octets: UnsafePointer<UInt8>?
    for _ in 0..<Self.batch {
      // Where there is nothing, libpcap would wait without a limit, or call it an error.
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, 0) <= 0 { return true }
      let status = pcap.next_ex(handle, &header, &octets)
      if status < 0 {
        let code = errno
        throw PortError.captureEnded(interface, code: code, Self.text(pcap.geterr(handle)))
      }
      guard status == 1, let header = header?.pointee, let octets else { continue }
      count += 1
      let time = Int64(header.ts.tv_sec) * 1_000_000_000 + Int64(header.ts.tv_usec) * nanosecondsPerUnit
      records.append(
        CaptureRecord(
          number: count, linkType: linkType, nanoseconds: time, originalLength: Int(header.len), drops: drops,
          octets: Array(UnsafeBufferPointer(start: octets, count: Int(header.caplen)))))
    }
    return true
  }

  func close() { pcap.close(handle) }

  /// Nil where libpcap is not installed; looked for once.
  private static let library: cpcap_calls? = withUnsafeTemporaryAllocation(of: cpcap_calls.self, capacity: 1) {
    guard let calls = $0.baseAddress, cpcap_open(calls) == 0 else { return nil }
    return calls.pointee
  }

  /// What libpcap is, as it says itself; nil where it is not installed.
  static var version: String? { library.map { text($0.lib_version()) } }

  private static func text(_ characters: UnsafePointer<CChar>?) -> String {
    characters.map { String(cString: $0) } ?? ""
  }

  /// The devices that it offers for Bluetooth, in its order.
  static var devices: [String] {
    guard let pcap = library else { return [] }
    var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    var first: UnsafeMutablePointer<pcap_if_t>?
    guard pcap.findalldevs(&first, &text) == 0 else { return [] }
    defer { pcap.freealldevs(first) }
    var names: [String] = []
    var next = first
    while let device = next {
      let name = String(cString: device.pointee.name)
      if name.hasPrefix("bluetooth") { names.append(name) }
      next = device.pointee.next
    }
    return names
  }
}
