/// What takes octets from outside is in the table that the fuzzer goes through.
enum DecoderRules {
  /// Declarations that take octets from outside, by how they begin.
  static let signs = ["(decoding ", "(h4 octets", "(parsing ", "(octets: [UInt8], file:", "(_ octets: [UInt8], file:"]
  static let streams = [
    "func feed(_ octets: [UInt8]", "func append(_ octets: [UInt8])", "func receive(_ value: [UInt8]",
  ]

  /// Files whose octets come from somewhere else, and from where.
  static let elsewhere: [(path: String, why: String)] = [
    ("Sources/HCIPorts/Capture/CaptureInterface.swift", "a word of the command line"),
    ("Sources/HCIPorts/Addresses/PortAddress+Parsing.swift", "a word of the command line"),
    ("Sources/HCIPorts/Addresses/ControlAddress.swift", "a word of the command line"),
    ("Sources/CaptureFormats/OctetWindow.swift", "what CaptureReader was handed"),
    ("Sources/Commands/Live/LiveOptions.swift", "a word of the command line"),
  ]

  /// - Parameters:
  ///   - sources: every Swift file of the product.
  ///   - isTable: whether a file is part of the table.
  static func findings(in sources: [SourceFile], isTable: (SourceFile) -> Bool = isTable) -> [Finding] {
    let table = sources.filter(isTable).flatMap(\.lines)
    return sources.filter { !isTable($0) }.flatMap { file in
      file.lines.enumerated().compactMap { index, line -> Finding? in
        guard declares(line), !elsewhere.contains(where: { $0.path == file.path }) else { return nil }
        let name = file.path.replacing("Sources/BluetoothWire/", with: "").replacing("Sources/NetworkWire/", with: "")
        if table.contains(where: { $0.mentions("\"\(file.path)\"") || $0.mentions("\"\(name)\"") }) { return nil }
        return Finding(
          path: file.path, line: index + 1,
          message:
            "takes octets from outside and is not in the table of decoders; give it a row in Sources/Fuzzing/Table")
      }
    }
  }

  /// The general rows, and those of each app in a target of its own.
  private static func isTable(_ file: SourceFile) -> Bool {
    let target = file.path.split(separator: "/").dropFirst().first ?? ""
    return target == "Fuzzing" ? file.isInside("Sources/Fuzzing/Table") : target.hasSuffix("Fuzzing")
  }

  private static func declares(_ line: Substring) -> Bool {
    guard line.mentions("public ") || line.mentions("package ") else { return false }
    if streams.contains(where: { line.mentions($0) }) { return true }
    return (line.mentions(" init") || line.mentions(" func ")) && signs.contains { line.mentions($0) }
  }
}
