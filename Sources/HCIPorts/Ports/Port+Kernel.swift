import CUnix
import NIOCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ports into this machine's kernel: an adapter that we are, or an adapter that we take.
extension Port {
  /// Becomes an adapter of the kernel by `/dev/vhci`. Its host, the kernel, has the seat immediately.
  func serveKernel() throws(PortError) -> EventLoopFuture<Void> {
    let descriptor = try KernelAdapter.open()
    let connection = H4Connection(port: self, partner: "the kernel", carriage: .packets, taking: .asked)
    line("serving this machine's kernel at \(KernelAdapter.path)")
    return adopt(descriptor, connection, readsAtOnce: true).assumeIsolated().map { _ in connection.takeSeat() }
      .flatMapErrorThrowing { throw PortError.serving(.vhci, $0) }.nonisolated()
  }

  /// Takes an adapter of the kernel, which must be down: every packet of it is ours then.
  func connectUserChannel(_ adapter: Int) throws(PortError) -> EventLoopFuture<Void> {
    let descriptor = cbluez_open_user_channel(CInt(adapter))
    guard descriptor >= 0 else {
      throw PortError.connecting(configuration.address, PortError.system(-descriptor))
    }
    return connected(adopt(descriptor, makeControllerConnection(.packets), readsAtOnce: false))
  }
}

/// The kernel's driver for adapters that a program is: `drivers/bluetooth/hci_vhci.c` of Linux.
enum KernelAdapter {
  static let path = "/dev/vhci"
  /// What is not HCI goes in packets of this indicator: `FF opcode` creates the adapter, `FF opcode index(2)` answers.
  static let vendorPacket: UInt8 = 0xFF

  static func open() throws(PortError) -> CInt {
    let descriptor = Descriptor.opening(path, O_RDWR | O_NONBLOCK)
    guard descriptor >= 0 else { throw refusal(errno) }
    // An adapter with BR/EDR and LE host support, as the kernel calls its primary type: opcode 00.
    let create: [UInt8] = [vendorPacket, 0x00]
    guard write(descriptor, create, create.count) == create.count else {
      let code = errno
      Descriptor.shut(descriptor)
      throw refusal(code)
    }
    return descriptor
  }

  /// What the answer to the creation says.
  static func line(answer: [UInt8]) -> String {
    guard answer.count >= 4 else { return "the kernel's answer is cut: \(H4Connection.hex(answer))" }
    return "the adapter of this seat is hci\(Int(answer[2]) | Int(answer[3]) << 8)"
  }

  static func refusal(_ code: CInt) -> PortError {
    switch code {
    case ENOENT, ENODEV, ENXIO:
      PortError("vhci: no \(path) in this kernel; modprobe hci_vhci, or serve h4:tcp, h4:unix or h4:pty")
    case EACCES, EPERM: PortError("vhci: no permission to open \(path); it needs CAP_NET_ADMIN and the file's rights")
    default: PortError("vhci: \(path) cannot be opened: \(PortError.reason(code: code))")
    }
  }
}
