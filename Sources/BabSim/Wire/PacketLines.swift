import BluetoothWire

/// The lines of `babbench packet`: each function answers one line with one line.
///
/// Pure and total; the command only reads and prints. The format is described in Docs/Formats/packet-lines.md.
public enum PacketLines {
  public enum Input: String, Hashable, Sendable, CaseIterable {
    /// The line is the base64 of the octets.
    case base64
    /// The line is the octets.
    case text
  }

  /// Which published profile is spoken. The packets are the same in all three; the default ATT_MTU is the profile's.
  public enum Dialect: String, Hashable, Sendable, CaseIterable {
    case guide, sdk, app

    /// 185 in the documents of `guide` and `sdk`; `app` leaves it to the platform, whose usual value is the same.
    public var attMTU: Int { 185 }
  }

  public enum Output: String, Hashable, Sendable, CaseIterable {
    case hexadecimal = "hex"
    case base64
  }

  /// `ACCEPT <canonical JSON>`, or `REJECT <reason with offset>`.
  public static func decode(_ line: [UInt8], input: Input, dialect: Dialect = .guide) -> String {
    switch packet(line, input) {
    case .success(let packet): "ACCEPT " + String(decoding: packet.encoded(), as: UTF8.self)
    case .failure(let refusal): "REJECT " + refusal.text
    }
  }

  /// The canonical packet, in the form of the input; or `REJECT <reason with offset>`.
  public static func encode(_ line: [UInt8], input: Input, dialect: Dialect = .guide) -> String {
    switch packet(line, input) {
    case .success(let packet):
      input == .base64 ? Base64.encode(packet.encoded()) : String(decoding: packet.encoded(), as: UTF8.self)
    case .failure(let refusal): "REJECT " + refusal.text
    }
  }

  /// The values that carry the canonical packet, separated by spaces; or `REJECT <reason>`.
  ///
  /// - Parameters:
  ///   - attMTU: of the link; the dialect's when nil.
  ///   - fragmenter: keeps the packet IDs from line to line.
  public static func frame(
    _ line: [UInt8], input: Input, dialect: Dialect = .guide, attMTU: Int? = nil, output: Output = .hexadecimal,
    fragmenter: inout Fragmenter
  ) -> String {
    switch packet(line, input) {
    case .failure(let refusal): return "REJECT " + refusal.text
    case .success(let packet):
      do throws(FragmentationError) {
        let values = try fragmenter.fragments(of: packet.encoded(), attMTU: attMTU ?? dialect.attMTU)
        return values.map { output == .base64 ? Base64.encode($0) : String(hexadecimal: $0) }.joined(separator: " ")
      } catch {
        return "REJECT \(error)"
      }
    }
  }

  private struct Refusal: Error {
    var text: String
  }

  private static func packet(_ line: [UInt8], _ input: Input) -> Result<BabPacket, Refusal> {
    var octets = line
    if input == .base64 {
      do throws(Base64.Refusal) {
        octets = try Base64.decode(line)
      } catch {
        return .failure(Refusal(text: error.description))
      }
    }
    do throws(BabPacketError) {
      return .success(try BabPacket(decoding: octets))
    } catch {
      return .failure(Refusal(text: error.description))
    }
  }
}
