import BluetoothWire
import Expectations

/// Two channel managers of Bumble 0.0.236 that talk over a channel: what `Tests/Foreign/bumble_channels.py` prints.
///
/// A asks with an MTU of 80, an MPS of 40 and 4 credits, B answers with 60, 30 and 2.
enum ChannelTalk {
  struct Frame {
    var isOfA: Bool
    var octets: [UInt8]
  }

  struct Part {
    var title: String
    var frames: [Frame] = []

    func frames(ofA: Bool) -> [[UInt8]] { frames.filter { $0.isOfA == ofA }.map(\.octets) }
  }

  static let parts: [Part] = text.split(separator: "\n").reduce(into: []) { parts, line in
    if line.hasPrefix("-- ") {
      parts.append(Part(title: String(line.dropFirst(3))))
    } else {
      parts[parts.count - 1].frames.append(Frame(isOfA: line.first == "A", octets: [UInt8].hex(line.dropFirst(2))))
    }
  }

  private static let text = """
    -- A asks for a service that B does not have
    A 0e00050014010a0084004000500028000400
    B 0e00050015010a0000000008000800000200
    -- A opens
    A 0e00050014020a0085004000500028000400
    B 0e00050015020a0040003c001e0002000000
    -- A writes 70 octets
    A 1e0040003c00000102030405060708090a0b0c0d0e0f101112131415161718191a1b
    A 1e0040001c1d1e1f202122232425262728292a2b2c2d2e2f30313233343536373839
    B 080005001601040040000100
    B 080005001602040040000100
    A 020040003a3b
    A 0c0040000a003c3d3e3f404142434445
    B 080005001603040040000100
    B 080005001604040040000100
    -- B writes 100 octets
    B 280040005000000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425
    B 28004000262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d
    B 020040004e4f
    B 160040001400505152535455565758595a5b5c5d5e5f60616263
    A 080005001603040040000200
    A 080005001604040040000200
    -- A closes
    A 080005000605040040004000
    B 080005000705040040004000
    -- the end
    """
}
