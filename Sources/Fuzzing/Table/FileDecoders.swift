public import Bench
import BluetoothWire
import CaptureFormats
import Conformance
import HCIPorts
import SimKernel

/// Streams, files and texts.
extension FuzzedDecoder {
  /// Reads a capture in pieces of different sizes; the records must not depend on how it was cut.
  private static func records(of input: [UInt8], piece: Int) -> (count: Int, octets: Int, error: CaptureError?) {
    var reader = CaptureReader()
    var (count, octets, start) = (0, 0, 0)
    do throws(CaptureError) {
      while start < input.count {
        let end = min(input.count, start + piece)
        reader.append(Array(input[start..<end]))
        start = end
        while let record = try reader.next() {
          count += 1
          octets += record.octets.count
        }
      }
      try reader.finish()
      return (count, octets, nil)
    } catch {
      return (count, octets, error)
    }
  }

  private static func capture(_ format: CaptureFormat, _ file: String) -> FuzzedDecoder {
    FuzzedDecoder(
      "capture-\(format.rawValue)", "\(format.rawValue) files",
      in: ["Sources/CaptureFormats/Capture/CaptureReader.swift", file], limit: 4_096,
      valid: { stream in
        var file: [UInt8] = []
        var writer = CaptureWriter(format: format, link: format == .packetLogger ? nil : .h4, application: "fuzz")
        for _ in 0..<1 + stream.number(below: 4) {
          let octets = [0x40, 0x20, 4, 0] + stream.octets(4)
          let record = CaptureRecord(
            number: 1, link: format == .packetLogger ? .packetLogger : .h4, nanoseconds: Int64(stream.below(1 << 40)),
            originalLength: octets.count + 1, body: .hci(adapter: 0, indicator: 2, isToHost: false), octets: octets[...]
          )
          try? writer.append(record, to: &file)
        }
        writer.finish(into: &file)
        return file
      },
      decode: { input in
        let whole = records(of: input, piece: max(1, input.count))
        let pieces = records(of: input, piece: 7)
        // What is guessed about a file that is no capture may depend on how much of it is there.
        if whole.count != pieces.count || whole.octets != pieces.octets || whole.error?.reason != pieces.error?.reason
          || whole.error?.offset != pieces.error?.offset
        {
          return .broken("read whole and in pieces it differs")
        }
        if let error = whole.error { return .refused(reason: error.reason.rawValue, offset: error.offset) }
        return .accepted(kind: UInt64(min(whole.count, 16)), canonical: nil)
      })
  }

  static let captures: [FuzzedDecoder] = [
    capture(.btsnoop, "Sources/CaptureFormats/BTSnoop/BTSnoop+Decoder.swift"),
    capture(.pcap, "Sources/CaptureFormats/PCAP/PCAP.swift"),
    capture(.pcapng, "Sources/CaptureFormats/PCAPNG/PCAPNG+Decoder.swift"),
    capture(.packetLogger, "Sources/CaptureFormats/PacketLogger/PacketLogger.swift"),
  ]

  static let streams: [FuzzedDecoder] = [H4Framer.Sender.host, .controller].map { sender in
    FuzzedDecoder(
      "h4-\(sender)", "the H4 stream of a \(sender)", in: ["Sources/HCIPorts/Framing/H4Framer.swift"], limit: 2_048,
      words: [[0x01, 0x03, 0x0C, 0x00], [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]],
      valid: { stream in
        (0..<1 + stream.number(below: 4)).flatMap { _ in
          let data = stream.octets(stream.number(below: 20))
          return sender == .host
            ? [0x01, 0x03, 0x0C, UInt8(data.count)] + data : [0x04, 0x0E, UInt8(data.count)] + data
        }
      },
      decode: { input in
        let whole = pieces(of: input, sender, cut: max(1, input.count))
        if whole != pieces(of: input, sender, cut: 3) {
          return .broken("cut whole and in pieces it differs")
        }
        return .accepted(kind: UInt64(min(whole.count, 32)), canonical: nil)
      })
  }

  private static func pieces(of input: [UInt8], _ sender: H4Framer.Sender, cut: Int) -> [H4Framer.Piece] {
    var framer = H4Framer(sender: sender)
    var pieces: [H4Framer.Piece] = []
    for start in stride(from: 0, to: input.count, by: cut) {
      framer.feed(Array(input[start..<min(input.count, start + cut)])) { pieces.append($0) }
    }
    return pieces
  }

  static let texts: [FuzzedDecoder] = [
    FuzzedDecoder(
      "iut-line", "lines of an implementation under test, as JSON",
      in: ["Sources/Conformance/IUT/Pipe/JSONTree.swift"], form: .text, limit: 4_096,
      words: ["\"at\"", "\"effects\"", "\"name\"", "\"octets\"", "\"link\""].map { Array($0.utf8) },
      valid: { stream in
        Array("{\"at\":\(stream.below(1 << 40)),\"effects\":[{\"name\":\"notify\",\"octets\":\"AAEC\"}]}".utf8)
      },
      decode: { input in
        do throws(JSONTree.Refusal) {
          return .accepted(kind: UInt64(try JSONTree(input).kindName.utf8.count), canonical: nil)
        } catch {
          return .refused(reason: error.reason, offset: error.offset)
        }
      }),
    FuzzedDecoder(
      "wire-text", "JSON as an implementation wrote it", in: ["Sources/Conformance/Testers/WireText.swift"],
      form: .text,
      limit: 4_096,
      valid: { stream in Array("{\"a\":[1,2.50,\"\\u00e9\",{\"b\":null}],\"c\":\(stream.below(100))}".utf8) },
      decode: { input in
        do throws(WireText.Refusal) {
          return .accepted(kind: try WireText.parse(input).isStrict ? 1 : 0, canonical: nil)
        } catch {
          return .refused(reason: error.reason, offset: error.offset)
        }
      }),
    FuzzedDecoder(
      "session", "recordings of live sessions", in: ["Sources/Bench/Session/SessionFile.swift"], form: .text,
      limit: 8_192,
      words: ["kind", "packet", "attached", "detached", "end", "instant", "octets", "device", "seats"].map {
        Array("\"\($0)\"".utf8)
      },
      valid: { stream in
        let start = stream.below(1 << 40)
        return Array(
          """
          {"bench":"0.2.0","file":"a.yaml","format":"babbench session","kind":"header","scenario":"name: a\\n",\
          "seats":[{"device":"guest","seat":"foreign-host"}],"seed":"\(stream.below(9))","settings":[],"version":1}
          {"device":"guest","instant":\(start),"kind":"attached"}
          {"device":"guest","instant":\(start + stream.below(9)),"kind":"packet","octets":"01030c00"}
          {"device":"guest","instant":\(start + 9),"kind":"detached"}
          {"digest":"\(String(repeating: "0", count: 32))","ending":"finished","instant":\(start + 9),"kind":"end"}

          """.utf8)
      },
      decode: { input in
        switch SessionFile.read(input, file: "fuzz") {
        case .success(let recording): .accepted(kind: UInt64(min(recording.entries.count, 16)), canonical: nil)
        case .failure(let problem): .refused(reason: kindOf(problem.message), offset: nil)
        }
      }),
    FuzzedDecoder(
      "trace", "traces of runs", in: ["Sources/Conformance/Report/RunLog.swift"], form: .text, limit: 8_192,
      words: ["kind", "payload", "header", "sequence", "instant", "device", "devices", "fields", "outcome"].map {
        Array("\"\($0)\"".utf8)
      },
      valid: { stream in
        Array(
          """
          {"version":1,"kind":"header","payload":{"scenario":"a","seed":"1","devices":[{"name":"host"}],"options":[]}}
          {"version":1,"kind":"step","payload":{"sequence":0,"instant":\(stream.below(1 << 40)),"device":-1,"text":"a"}}
          {"version":1,"kind":"report","payload":{"sequence":1,"instant":9,"device":0,"name":"phase","phase":"LOBBY"}}

          """.utf8)
      },
      decode: { input in
        do throws(RunLog.Problem) {
          return .accepted(kind: UInt64(min(try RunLog(input, file: "fuzz").lines.count, 16)), canonical: nil)
        } catch {
          return .refused(reason: kindOf(error.description), offset: nil)
        }
      }),
  ]

  static let wordList = FuzzedDecoder(
    "word-list", "word lists of fuzzers", in: ["Sources/Fuzzing/WordList.swift"], form: .text, limit: 1_024,
    words: ["\\x00", "\\\\", "\"", "=", "#"].map { Array($0.utf8) },
    valid: { stream in
      Array(
        WordList.text((0..<1 + stream.number(below: 4)).map { _ in stream.octets(1 + stream.number(below: 8)) }).utf8)
    },
    decode: { input in
      do throws(WordList.Refusal) {
        let words = try WordList.read(parsing: input)
        return .accepted(kind: UInt64(min(words.count, 16)), canonical: Array(WordList.text(words).utf8))
      } catch {
        return .refused(reason: error.reason, offset: nil)
      }
    })

  static let profile = FuzzedDecoder(
    "profile", "profiles of phones and rooms", in: ["Sources/Bench/Scenario/PhoneProfile.swift"], form: .text,
    limit: 4_096, words: ["phones:", "radio:", "measured:", "captures:", "preset: android"].map { Array($0.utf8) },
    valid: { stream in
      Array(
        """
        profile: lobby
        captures:
          - { file: 'air.pcapng', packets: \(stream.below(9_000)), seen at: air }
        phones:
          central: { preset: android, att mtu: \(23 + stream.below(400)), connection interval: 30ms }
        radio: { preset: ideal, packet loss: \(stream.below(100_000)) ppm }

        """.utf8)
    },
    decode: { input in
      switch PhoneProfile.read(octets: input, file: "fuzz.yaml") {
      case .success(let profile): .accepted(kind: UInt64(min(profile.phones.count, 16)), canonical: nil)
      case .failure(let problems): .refused(reason: kindOf(problems.list.first?.message ?? ""), offset: nil)
      }
    })

  /// A message without its quoted words and numbers, so that messages of one kind are one kind.
  static func kindOf(_ message: String) -> String {
    var (kind, isQuoted) = ("", false)
    for character in message {
      switch character {
      case "“": isQuoted = true
      case "”": isQuoted = false
      default: if !isQuoted, !character.isNumber { kind.append(character) }
      }
    }
    return kind
  }

  /// Scenario files, in the language of an edition.
  public static func scenario(_ language: ScenarioLanguage) -> FuzzedDecoder {
    FuzzedDecoder(
      .scenario, in: ["Sources/Bench/Scenario/ScenarioReader.swift"],
      decode: { input in
        switch ScenarioReader.read(octets: input, file: "fuzz.yaml", language: language) {
        case .success(let scenario): .accepted(kind: UInt64(min(scenario.devices.count, 16)), canonical: nil)
        case .failure(let problems): .refused(reason: kindOf(problems.list.first?.message ?? ""), offset: nil)
        }
      })
  }
}

extension FuzzedDecoder {
  /// The decoders of the bench itself, in the order of lists; apps bring theirs.
  public static let general: [FuzzedDecoder] =
    pdus + [channelSDUs] + hci + network + [controller, air] + streams + [lockstep] + captures + texts
    + [wordList, profile]
}
