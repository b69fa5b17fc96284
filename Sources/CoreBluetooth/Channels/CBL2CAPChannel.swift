package import AppSeam

/// A Protocol/Service Multiplexer: the number of a kind of L2CAP channels. Source: Apple, `CBL2CAPPSM`.
public typealias CBL2CAPPSM = UInt16

/// A stream of octets in both directions between two devices.
///
/// Source: Apple, `CBL2CAPChannel`.
open class CBL2CAPChannel: NSObject {
  package let id: ChannelID
  private let other: CBPeer
  private let incoming: ChannelInputStream
  private let outgoing: ChannelOutputStream
  private let number: CBL2CAPPSM

  package init(id: ChannelID, peer: CBPeer, psm: CBL2CAPPSM, send: @escaping ([UInt8]) -> Void) {
    self.id = id
    other = peer
    number = psm
    incoming = ChannelInputStream()
    outgoing = ChannelOutputStream(send: send)
    super.init()
  }

  /// The device at the other end.
  open var peer: CBPeer! { other }
  /// What comes in. The app opens it.
  open var inputStream: InputStream! { incoming }
  /// What goes out. The app opens it.
  open var outputStream: OutputStream! { outgoing }
  /// The PSM of the channel.
  open var psm: CBL2CAPPSM { number }

  package func received(_ octets: [UInt8]) { incoming.received(octets) }
  package func sent(_ count: Int) { outgoing.sent(count) }
  package func closed() {
    incoming.ended()
    outgoing.ended()
  }
}
