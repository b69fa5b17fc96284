package import Bench
package import VirtualRadio

extension PDULoss {
  /// What a PDU was lost to, after `lost`.
  package func words(_ header: TraceHeader) -> String {
    switch self {
    case .receiverGone: "because the other was gone"
    case .notListening: "while the other did not listen"
    case .outsideWindow: "while the other listened at another time, by its clock"
    case .ownTransmission: "while the other was sending"
    case .level: "too weak for the receiver"
    case .collision(let index): "to PDUs of \(header.name(of: index))"
    case .interferer(let name): "to the interferer \(name)"
    case .noise: "to noise"
    case .burst: "in a burst of losses"
    case .covered: "to the noise that covers the link"
    case .chance: "by the room's loss rate"
    case .tooLong: "too long for the receiver"
    }
  }
}
