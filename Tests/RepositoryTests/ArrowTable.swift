/// The arrows of ARCHITECTURE.md: which folder may import which module. The longest matching folder counts.
///
/// A folder below `Sources/` that matches no line is a finding, so a new room gets its line with its first file. No
/// target may be reached from itself, which `ArrowRules.circles` checks on the table.
enum ArrowTable {
  private static let wire = ["SimKernel", "BluetoothWire"]
  private static let radio = wire + ["VirtualRadio"]
  private static let platform = radio + ["AppSeam", "VirtualNetwork", "Platform"]
  private static let bench = platform + ["Bench"]
  private static let captures = wire + ["CaptureFormats"]
  private static let judges = ["Judging", "CaptureCheck", "Conformance"]
  private static let clibraries = ["Glibc", "Darwin"]

  static let allowedImports: [(folder: String, modules: [String])] = [
    ("Sources/SimKernel", []),
    ("Sources/BluetoothWire", []),
    ("Sources/CaptureFormats", []),
    ("Sources/NetworkWire", ["BluetoothWire"]),
    ("Sources/LinkCrypto", ["BluetoothWire", "CLibCrypto"]),
    ("Sources/VirtualRadio", wire + ["LinkCrypto"]),
    ("Sources/RadioLaws", radio + ["VirtualNetwork", "NetworkWire", "AppSeam"]),
    ("Sources/VirtualNetwork", ["SimKernel", "NetworkWire", "AppSeam"]),
    ("Sources/AppSeam", wire),
    ("Sources/Platform", radio + ["AppSeam", "VirtualNetwork"]),
    ("Sources/Bench/App", platform),
    ("Sources/Bench/Trace", platform),
    ("Sources/Bench/World", platform),
    ("Sources/Bench/Session", platform + ["Foundation"]),
    ("Sources/Bench/Scenario", platform + ["Yams", "Foundation", "Synchronization"]),
    ("Sources/Bench/WorldDraws", ["SimKernel"]),
    ("Sources/Judging/Verdict", []),
    ("Sources/Judging/Ledger", ["SimKernel"]),
    ("Sources/Judging/Shards", []),
    ("Sources/Judging/Text", ["SimKernel"]),
    ("Sources/Judging/Files", ["Foundation", "SimKernel"]),
    ("Sources/Judging/Page", ["Mustache", "SimKernel"]),
    ("Sources/CaptureCheck/Traffic", captures + ["Judging"]),
    ("Sources/CaptureCheck/HCI", captures),
    ("Sources/CaptureCheck/Air", captures),
    ("Sources/CaptureCheck/Links", captures),
    ("Sources/CaptureCheck/Encryption", captures + ["LinkCrypto"]),
    ("Sources/CaptureCheck/Attributes", wire),
    ("Sources/CaptureCheck/Ends", captures),
    ("Sources/CaptureCheck/Rules", captures + ["Judging"]),
    ("Sources/CaptureCheck/Network", captures + ["NetworkWire"]),
    ("Sources/CaptureCheck/Inspect", captures + ["Judging", "NetworkWire"]),
    ("Sources/CaptureCheck/Picture", captures + ["Judging"]),
    ("Sources/CaptureCheck/Input", captures + ["Judging", "NetworkWire", "Foundation"]),
    ("Sources/CaptureCheck/Report", captures + ["Judging", "Mustache"]),
    ("Sources/CaptureCheck/Stats", captures + ["Judging", "Mustache"]),
    ("Sources/Conformance/App", bench + ["Judging", "CaptureCheck", "Synchronization"]),
    ("Sources/Conformance/Calibrate", radio + ["Platform", "Bench", "Judging", "CaptureCheck"]),
    ("Sources/Conformance/Purpose", bench + ["Judging"]),
    ("Sources/Conformance/Runner", bench + ["Judging"]),
    ("Sources/Conformance/Testers", bench + ["Judging"]),
    ("Sources/Conformance/Selftest", ["SimKernel", "AppSeam", "Bench", "Judging"]),
    ("Sources/Conformance/Oracles", bench + ["Judging"]),
    ("Sources/Conformance/Circumstances", bench + ["Judging"]),
    ("Sources/Conformance/IUT", wire + ["AppSeam", "Bench", "Judging", "VirtualRadio"]),
    (
      "Sources/Conformance/IUT/Process",
      wire + ["AppSeam", "Bench", "Judging", "Synchronization", "Foundation"] + clibraries
    ),
    ("Sources/Conformance/IUT/Description", ["AppSeam", "Bench", "Judging", "VirtualRadio", "Foundation"]),
    ("Sources/Conformance/Report", bench + ["CaptureFormats", "Judging", "Foundation"]),
    ("Sources/Campaigns/Report", ["Judging", "CaptureCheck", "Mustache"]),
    ("Sources/Campaigns", ["SimKernel", "Judging", "Conformance", "Foundation", "Synchronization"] + clibraries),
    ("Sources/Conformance/Report/Suite", bench + ["Judging", "Mustache", "Foundation"]),
    ("Sources/Stress/Measures", bench + ["Judging", "Conformance"]),
    ("Sources/Stress/Plan", ["SimKernel", "Judging"]),
    ("Sources/Stress/Tally", ["SimKernel", "Judging", "Histogram"]),
    ("Sources/Stress/Claims", ["SimKernel", "Judging"] + clibraries),
    ("Sources/Stress/Search", ["Judging"]),
    ("Sources/Stress/Limits", ["Judging", "CaptureCheck", "Conformance"]),
    ("Sources/Stress/Figures", ["Judging", "CaptureCheck", "Conformance"]),
    ("Sources/Stress/Baseline", ["SimKernel"] + clibraries),
    ("Sources/Stress/Report", ["SimKernel", "Judging", "CaptureCheck", "Mustache", "Foundation"]),
    ("Sources/Shrink/Case", ["Judging", "Conformance"]),
    ("Sources/Shrink/Session", ["SimKernel", "AppSeam", "Bench", "Conformance", "RunReports"]),
    ("Sources/Shrink/Tree", ["Bench"]),
    ("Sources/Shrink/Trial", ["SimKernel", "Bench", "Conformance", "RunReports"]),
    ("Sources/Shrink/Reduction", wire + ["VirtualRadio", "Bench"]),
    ("Sources/Shrink", ["SimKernel", "Bench", "RunReports"]),
    ("Sources/Explore/Draw", platform + ["Bench"]),
    (
      "Sources/Explore/Captures",
      ["SimKernel", "Bench", "Judging", "CaptureCheck", "Conformance", "Shrink", "Foundation"]
    ),
    ("Sources/Explore/Trial", bench + ["Judging", "Conformance", "RunReports", "Shrink"]),
    ("Sources/Explore/Report", ["SimKernel", "Judging", "Mustache", "Foundation"]),
    ("Sources/Explore/Tally", ["SimKernel", "Judging"]),
    ("Sources/RunReports/Causes", bench + ["Judging", "Conformance"]),
    ("Sources/RunReports/Causes/Network", bench + ["Conformance", "NetworkWire"]),
    ("Sources/CZlib", []),
    ("Sources/RunReports/Timelines/Reading", bench + judges + ["CaptureFormats"]),
    ("Sources/RunReports/Timelines/Difference", ["SimKernel", "Conformance", "CaptureCheck"]),
    ("Sources/RunReports/Timelines/Data", ["SimKernel", "Judging", "CZlib", "Foundation"]),
    ("Sources/RunReports/Timelines", ["SimKernel", "Judging", "Mustache"]),
    ("Sources/RunViews/Folder", ["Foundation"] + clibraries),
    ("Sources/RunViews/Page", ["Judging", "Mustache", "Foundation"]),
    (
      "Sources/RunViews/Server",
      ["Judging", "NIOCore", "NIOPosix", "NIOHTTP1", "CLibCrypto", "Foundation", "Synchronization"] + clibraries
    ),
    ("Sources/BabSim/Wire", wire),
    ("Sources/BabSim/Engine", wire + ["AppSeam"]),
    ("Sources/BabSim/Glue", wire + ["AppSeam"]),
    ("Sources/BabSim/Layers", wire + ["AppSeam"]),
    ("Sources/BabSim/Words", wire + ["AppSeam"]),
    ("Sources/BabSim/Scenario", bench),
    ("Sources/BeamScribe/Wire", []),
    ("Sources/BeamScribe/Engine", wire + ["AppSeam"]),
    ("Sources/BeamScribe/Words", ["AppSeam"]),
    ("Sources/BeamScribe/Scenario", bench),
    ("Sources/BabOracles", bench + judges + ["CaptureFormats", "BabSim"]),
    ("Sources/BabSuite", bench + judges + ["BabSim", "BabOracles"]),
    ("Sources/Bystanders", bench + judges),
    ("Sources/ProtocolFiles/Fuzz", bench + ["Fuzzing"]),
    ("Sources/ProtocolFiles", bench + judges + ["CaptureFormats", "Fuzzing"]),
    // It is a façade for apps, which bring queues, dates and errors of Foundation.
    ("Sources/CCoreBluetooth", []),
    ("Sources/CoreBluetooth", wire + ["CCoreBluetooth", "AppSeam", "Foundation", "Dispatch"]),
    ("Sources/MultipeerConnectivity", ["Network", "Foundation", "Dispatch"]),
    ("Sources/Network", ["SimKernel", "AppSeam", "CoreBluetooth", "Foundation", "Dispatch"]),
    ("Sources/CVirtualTime", []),
    ("Sources/VirtualTime", ["SimKernel", "CVirtualTime"]),
    ("Sources/VirtualProgram/App", wire + ["AppSeam", "CoreBluetooth", "VirtualTime"]),
    ("Sources/VirtualRoom", bench + ["VirtualProgram", "CoreBluetooth", "VirtualTime"]),
    (
      "Sources/RoomTimelines",
      bench + ["VirtualRoom", "RunReports", "Bystanders", "Conformance", "Judging", "Foundation"]
    ),
    // An app's build has it, and nothing of the bench.
    ("Sources/VirtualProgram", wire + ["AppSeam", "CoreBluetooth", "VirtualTime", "Foundation"]),
    ("Tests/Outside/Echo", bench + judges + ["Bystanders", "Commands", "Fuzzing"]),
    ("Sources/Explore/EveryFault/Places", bench + ["Conformance"]),
    ("Sources/Explore/EveryFault/Plan", ["SimKernel", "Bench", "Shrink"]),
    ("Sources/Explore/EveryFault/Worlds", bench + ["Conformance", "InPlaceFuzz", "Judging"]),
    ("Sources/Explore/EveryFault/Report", ["SimKernel", "AppSeam", "Bench", "Judging", "Mustache"]),
    ("Sources/InPlaceFuzz", bench + judges + ["CUnix", "Foundation"] + clibraries),
    ("Sources/CUnix", []),
    ("Sources/CLibCrypto", []),
    ("Sources/HCIPorts/Capture", captures + ["CUnix", "Synchronization", "Foundation"] + clibraries),
    ("Sources/HCIPorts", radio + ["CUnix", "NIOCore", "NIOPosix", "Synchronization"] + clibraries),
    ("Sources/Fuzzing/Engine", ["SimKernel"]),
    ("Sources/Fuzzing", bench + ["CaptureFormats", "Conformance", "HCIPorts", "NetworkWire"]),
    (
      "Sources/parserfuzz",
      [
        "SimKernel", "Bench", "Conformance", "BabSuite", "BeamSuite", "Bystanders", "Fuzzing", "BabFuzzing",
        "BeamFuzzing", "Foundation",
      ]
    ),
    ("Sources/BabFuzzing", ["SimKernel", "BabSim", "Fuzzing"]),
    ("Sources/BeamOracles", bench + judges + ["CaptureFormats", "BeamScribe", "NetworkWire"]),
    ("Sources/BeamSuite", bench + judges + ["BeamScribe", "BeamOracles"]),
    ("Sources/BeamFuzzing", ["SimKernel", "BeamScribe", "Fuzzing"]),
    ("Sources/CLibFuzzer", []),
    ("Sources/BabbenchMutator", ["SimKernel", "Fuzzing", "BabFuzzing", "CLibFuzzer"] + clibraries),
    ("Sources/CParserHost", []),
    (
      "Sources/ParserTargets",
      wire + ["AppSeam", "Bench", "Conformance", "Fuzzing", "CParserHost", "Synchronization"] + clibraries
    ),
    (
      "Sources/Commands",
      bench + judges
        + [
          "Campaigns", "CaptureFormats", "Explore", "HCIPorts", "RadioLaws", "Shrink", "Fuzzing", "InPlaceFuzz",
          "ParserTargets", "ProtocolFiles",
          "Stress", "RunReports", "RunViews", "ArgumentParser", "Foundation", "Synchronization",
        ]
        + clibraries
    ),
    (
      "Sources/babbench",
      [
        "Commands", "Fuzzing", "BabFuzzing", "BeamFuzzing", "Conformance", "BabSim", "BabSuite", "BeamSuite",
        "Bystanders", "ArgumentParser",
      ]
    ),
  ]

  /// One folder must not name the types that others declare, though one module holds them all.
  struct Wall {
    var folder: String
    /// Folders whose top-level declarations must not be named.
    var hidden: [String]
    /// Files of the hidden folders whose declarations are the seam itself.
    var seam: [String]
    var reason: String
  }

  private static func kit(_ folders: String...) -> [String] { folders.map { "Sources/Conformance/" + $0 } }

  static let walls: [Wall] = [
    Wall(
      folder: "Sources/VirtualRadio/Host", hidden: ["Sources/VirtualRadio/Medium", "Sources/VirtualRadio/LinkLayer"],
      seam: [], reason: "the host stack reaches the controller through HCI only"),
    Wall(
      folder: "Sources/Conformance/Purpose", hidden: kit("App", "IUT", "Runner", "Selftest", "Report"), seam: [],
      reason: "what test purposes are written with is below protocols, implementations and runs"),
    Wall(
      folder: "Sources/Conformance/App", hidden: kit("IUT", "Runner", "Selftest", "Report"), seam: [],
      reason: "a protocol is declared without whoever is tested by it"),
    Wall(
      folder: "Sources/Conformance/IUT", hidden: kit("Runner", "Selftest", "Report"), seam: [],
      reason: "an implementation is described without the runs it takes part in"),
    Wall(
      folder: "Sources/Conformance/Runner", hidden: kit("Selftest", "Report"), seam: [],
      reason: "a run knows neither what proves the suite nor what tells of it"),
    Wall(
      folder: "Sources/Conformance/Oracles", hidden: kit("App", "IUT", "Runner", "Purpose", "Selftest", "Report"),
      seam: [], reason: "oracles judge whole games, with or without a suite"),
    Wall(
      folder: "Sources/Conformance/Oracles", hidden: ["Sources/Bench/World", "Sources/Bench/Scenario"],
      seam: ["Sources/Bench/World/RunContract.swift"], reason: "oracles read the trace only, never the world"),
    Wall(
      folder: "Sources/BabOracles/Oracles", hidden: ["Sources/BabSim/Engine"], seam: [],
      reason: "oracles read the trace only, never an engine"),
    Wall(
      folder: "Sources/BabOracles/Oracles",
      hidden: ["Sources/Bench/World", "Sources/Bench/Scenario", "Sources/BabSim/Scenario"],
      seam: ["Sources/Bench/World/RunContract.swift", "Sources/BabSim/Scenario/BabApp.swift"],
      reason: "oracles read the trace only, never the world; they are asked for by the app's name"),
    Wall(
      folder: "Sources/BabSim/Engine", hidden: ["Sources/BabSim/Scenario"],
      seam: ["Sources/BabSim/Scenario/GameSettings.swift"], reason: "an engine knows nothing of scenario files"),
    Wall(
      folder: "Sources/BeamScribe/Engine", hidden: ["Sources/BeamScribe/Scenario"], seam: [],
      reason: "an engine knows nothing of scenario files"),
    Wall(
      folder: "Sources/BeamScribe/Wire",
      hidden: ["Sources/BeamScribe/Engine", "Sources/BeamScribe/Scenario", "Sources/BeamScribe/Words"],
      seam: [], reason: "the wire format is pure and knows nobody above it"),
    Wall(
      folder: "Sources/BabSim/Wire",
      hidden: ["Sources/BabSim/Engine", "Sources/BabSim/Scenario", "Sources/BabSim/Words"],
      seam: [], reason: "the wire format is pure and knows nobody above it"),
  ]
}
