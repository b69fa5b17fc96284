import BluetoothWire
import Expectations
import Fuzzing
import SimKernel
import Testing

/// The row of K-frames against assemblies with a planted defect, and against ours.
@Suite("Fuzzing of the reassembly of SDUs")
struct ChannelRowTests {
  /// Payloads of Bumble 0.0.236 (`LeCreditBasedChannel`) with an MPS of 23: octets 0 … 49, then `AB`.
  private static let bumble: [[UInt8]] = [
    [0x32, 0x00] + Array(0...20), Array(21...43), Array(44...49), [0x01, 0x00, 0xAB],
  ]

  private static func octets(_ payloads: [[UInt8]]) -> [UInt8] { payloads.flatMap { [UInt8($0.count)] + $0 } }

  @Test("Payloads of Bumble are taken; cut as we cut them they are the same SDUs")
  func others() {
    let row = FuzzedDecoder.channelSDUs
    guard case .success(.accepted(let kind, let canonical?)) = row.judge(Self.octets(Self.bumble)) else {
      return expect(false, "refused")
    }
    equal(canonical, Self.octets([[0x32, 0x00] + Array(0...45), Array(46...49), [0x01, 0x00, 0xAB]]))
    equal(row.judge(canonical), .success(.accepted(kind: kind, canonical: canonical)))
  }

  /// What an assembly leaves out.
  enum Defect: String, CaseIterable {
    /// What follows the first K-frame is copied without a look at the SDU length.
    case trustsSegments
    /// The SDU length is not held against the MTU.
    case ignoresMTU
    /// A K-frame is not held against the MPS.
    case ignoresMPS
    /// Two octets of an SDU length are read, of which one is not there.
    case readsOneOctet
    /// An empty SDU waits for a K-frame that never comes.
    case waitsForEmpty
    /// What an SDU held is still there when the next one begins.
    case keepsOld
  }

  private static func assembly(_ defect: Defect?) -> ([UInt8]) -> L2CAP.SDUAssembly.Outcome {
    var sdu: [UInt8] = []
    var missing: Int?
    return { payload in
      if payload.count > 48, defect != .ignoresMPS { return .violation(.payloadExceedsMPS(payload.count)) }
      var body = payload[...]
      if missing == nil {
        if body.count < 2, defect != .readsOneOctet || body.isEmpty { return .violation(.noSDULength) }
        let length = Int(body.removeFirst()) | Int(body.popFirst() ?? 0) << 8
        if length > 100, defect != .ignoresMTU { return .violation(.sduExceedsMTU(length)) }
        missing = length
        if defect != .keepsOld || sdu.count < 60 { sdu = [] }
        if length == 0, body.isEmpty, defect == .waitsForEmpty { return .nothing }
      }
      let left = missing! - body.count
      if left < 0, defect != .trustsSegments { return .violation(.segmentsExceedSDULength(-left)) }
      sdu += body
      missing = left > 0 ? left : nil
      return left > 0 ? .nothing : .sdu(sdu)
    }
  }

  private static func findings(_ defect: Defect?) -> [DecoderFuzzer.Finding] {
    var fuzzer = DecoderFuzzer(.channelSDUs { assembly(defect) }, seed: 3)
    var findings: [DecoderFuzzer.Finding] = []
    for _ in 0..<6_000 where findings.isEmpty {
      if case .fault(let finding) = fuzzer.run(fuzzer.nextInput()) { findings.append(finding) }
    }
    return findings
  }

  @Test("Each planted defect is found", arguments: Defect.allCases)
  func found(defect: Defect) { equal(Self.findings(defect).count, 1) }

  @Test("The same assembly without a defect is left alone")
  func silent() { equal(Self.findings(nil).map(\.fault.description), []) }
}
