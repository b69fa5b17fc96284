import CUnix

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension PortError {
  static let setcap = "sudo setcap cap_net_raw,cap_net_admin+ep $(command -v babbench)"
  static let noBluetooth =
    "no Bluetooth in this kernel: modprobe bluetooth; in a container, share the machine's network as well"

  static let noLibpcap = "libpcap is not installed: apt-get install libpcap0.8; --interface monitor needs none"

  /// Why a capture cannot begin.
  static func capturing(_ interface: CaptureInterface, code: CInt) -> PortError {
    switch code {
    case EAFNOSUPPORT, EPROTONOSUPPORT: PortError("\(interface): \(noBluetooth)")
    case ENOSYS: PortError("\(interface): only Linux has it; elsewhere read another program's capture with -")
    case EPERM, EACCES:
      if Capabilities.own.contains(.netRaw) {
        // The kernel asks for capabilities on the machine, not in a namespace.
        PortError(
          "\(interface): no permission, though CAP_NET_RAW is there: it must be the machine's, not a user namespace's")
      } else {
        PortError("\(interface): no permission: capturing needs CAP_NET_RAW; run as root, or once: \(setcap)")
      }
    case ENODEV: PortError("\(interface): no such adapter; babbench adapters lists those there are")
    default: PortError("\(interface): cannot be captured: \(reason(code: code))")
    }
  }

  /// Why adapters cannot be listed.
  static func adapters(code: CInt) -> PortError {
    switch code {
    case EAFNOSUPPORT, EPROTONOSUPPORT: PortError(noBluetooth)
    case ENOSYS: PortError("adapters are listed on Linux only")
    default: PortError("the kernel lists no adapters: \(reason(code: code))")
    }
  }

  /// Why libpcap does not begin.
  static func activation(_ interface: CaptureInterface, _ status: CInt, _ text: String) -> PortError {
    switch status {
    case PCAP_ERROR_PERM_DENIED: capturing(interface, code: EPERM)
    case PCAP_ERROR_NO_SUCH_DEVICE: PortError("\(interface): this libpcap does not know it; try --interface monitor")
    default:
      text.contains("not permitted") || text.contains("denied")
        ? capturing(interface, code: EPERM) : PortError("\(interface): libpcap cannot capture there: \(text)")
    }
  }

  /// Why a capture that ran does so no longer.
  static func captureEnded(_ interface: CaptureInterface, code: CInt, _ text: String? = nil) -> PortError {
    switch code {
    case EPIPE, ENODEV, ENETDOWN, EBADFD: PortError("\(interface): the adapter is gone")
    default: PortError("\(interface): the capture broke off: \(text ?? reason(code: code))")
    }
  }

  static func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
