import AppSeam
package import SimKernel

extension BeamReport {
  /// As every word is mixed in; those that every chunk brings forth without a copy of what they say.
  package func mix(into digest: inout TraceDigest) {
    switch self {
    case .finalShown(let sequence, let text):
      digest.combine(name: "finalShown")
      digest.combine("sequence", sequence)
      digest.combine(name: "text")
      digest.combine(text: text)
    case .latency(let sequence, let milliseconds):
      digest.combine(name: "latency")
      digest.combine("sequence", sequence)
      digest.combine("milliseconds", milliseconds)
    case .packetSent(let stream, let type, let octets): digest.combine("packetSent", stream, type, octets)
    case .packetReceived(let stream, let type, let octets): digest.combine("packetReceived", stream, type, octets)
    default: digest.combine(self)
    }
  }
}

extension TraceDigest {
  /// The name of a word or a field, as the digest takes every name.
  @inline(__always)
  fileprivate mutating func combine(name: StaticString) {
    name.withUTF8Buffer { octets in
      var word: UInt64 = 0
      for octet in octets { word = word &* 0x100_0000_01B3 ^ UInt64(octet) }
      combine(word)
    }
  }

  @inline(__always)
  fileprivate mutating func combine(_ name: StaticString, _ number: Int) {
    combine(name: name)
    combine(UInt64(bitPattern: Int64(number)))
  }

  @inline(__always)
  fileprivate mutating func combine(_ name: StaticString, _ stream: ConnectionID, _ type: String, _ octets: Int) {
    combine(name: name)
    combine("stream", stream.rawValue)
    combine(name: "type")
    combine(text: type)
    combine("octets", octets)
  }
}
