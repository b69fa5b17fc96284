import AppSeam
import Bench
import BluetoothWire
import Platform
import SimKernel

/// What people read in the comments of a capture.
enum CaptureText {
  static func run(_ header: TraceHeader) -> String { "scenario \(header.scenario), seed \(header.seed)" }

  static func device(_ header: TraceHeader, _ index: Int) -> String {
    let device = header.devices[index]
    return
      "device \(index): \(device.name), \(device.role.rawValue), phone \(device.phone), dialect \(device.dialect), "
      + "engine \(device.engine), address \(device.address)"
  }

  static func fault(_ fault: FaultEvent, on device: String) -> String {
    switch fault {
    case .vanish: "\(device) vanishes"
    case .appear: "\(device) appears"
    case .radioOff: "\(device) radio off"
    case .radioOn: "\(device) radio on"
    case .kill: "\(device) app killed"
    case .reclaim: "\(device) app ended by the system"
    case .relaunch: "\(device) app relaunched"
    case .background: "\(device) app in background"
    case .foreground: "\(device) app in foreground"
    case .screenOff: "\(device) screen off"
    case .screenOn: "\(device) screen on"
    case .disconnect(let link): "\(device) disconnects link \(link.rawValue)"
    case .move(let x, let y, let z): "\(device) moves to (\(x), \(y), \(z)) cm"
    case .network(let fault): "\(device): \(NetworkWords().of(fault))"
    case .failure, .forgetBonds: "\(device): \(EventWords.of(fault))"
    case .message(let fault, let link, let characteristic, let octets):
      "\(device) \(fault.rawValue) on link \(link.rawValue), characteristic \(characteristic), \(CountedNoun.text(octets.count, "octet"))"
    }
  }
}
