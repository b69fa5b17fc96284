// swift-tools-version: 6.1
import PackageDescription

/// Every target is compiled with the same strict settings; see CONTRIBUTING.md.
let language: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// Instants, octets, and the radio below the app: no app is known here.
let radio: [Target.Dependency] = ["VirtualRadio", "SimKernel", "BluetoothWire"]
/// What a world is made of, with the seam to its apps.
let bench: [Target.Dependency] = ["Bench", "Platform", "AppSeam", "VirtualNetwork"] + radio
/// What captures are read and judged by.
let captures: [Target.Dependency] = ["CaptureCheck", "CaptureFormats", "Judging"]
/// Everything of Bab.
let bab: [Target.Dependency] = ["BabSim", "BabOracles", "BabSuite"]
/// Everything of BeamScribe.
let beam: [Target.Dependency] = ["BeamScribe", "BeamOracles", "BeamSuite"]

// Whoever depends on this package with fewer traits has fewer packages to fetch (Docs/API.md).
let mustache: Target.Dependency = .product(
  name: "Mustache", package: "swift-mustache", condition: .when(traits: ["Pages", "Tools"]))
let nio = ["NIOCore", "NIOPosix"].map { (name: String) -> Target.Dependency in
  .product(name: name, package: "swift-nio", condition: .when(traits: ["Ports", "Tools"]))
}
let histogram: Target.Dependency = .product(
  name: "Histogram", package: "hdrhistogram-swift", condition: .when(traits: ["Tools"]))
let arguments: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["Tools"]))

/// SwiftPM accepts unsafe flags in a package that is worked on, and not in one that another package depends on by
/// version; that one lies in a folder `checkouts`.
let isDependency = Context.packageDirectory.contains("/checkouts/")

/// Where nobody debugs, and nobody jumps to a definition, a debug build takes two thirds of the time (`.ci/run`).
let debugging: [SwiftSetting] =
  isDependency || Context.environment["BABBENCH_LEAN_DEBUG"] == nil
  ? []
  : [
    .unsafeFlags(
      ["-gnone", "-index-ignore-system-modules", "-index-ignore-clang-modules"], .when(configuration: .debug))
  ]

/// Debug builds check at run time that accesses do not overlap; a release does not (Docs/Decisions/0009). Tests see into a
/// release, so that they test the program that is shipped, and there is one build for both. A module comes with its code:
/// as a job of its own it costs a third of a target's compilation again, and nobody can begin with it any earlier.
let released: [SwiftSetting] =
  isDependency
  ? []
  : [
    .unsafeFlags(
      ["-enforce-exclusivity=unchecked", "-enable-testing", "-no-emit-module-separately-wmo"],
      .when(configuration: .release))
  ]

/// What linking would take out again (`stripped`) is a seventh of a test's compilation. SwiftPM says `-g` after these
/// flags, so that the compiler proper is told. Samples keep it: where an app crashes is a line of its source.
let withoutDebugInformation: [SwiftSetting] =
  isDependency ? [] : [.unsafeFlags(["-Xfrontend", "-gnone"], .when(configuration: .release))]

let strict = language + debugging + released + withoutDebugInformation

/// For targets in which the optimiser saves more than it costs wherever tests run: worlds, engines, oracles, protocol
/// files, ports, and what reads captures and writes texts. CI builds with `-Xswiftc -Onone`, which packages and all
/// other targets follow: they compile in a third of the time. SwiftPM puts `-Onone` after a target's own flags, so `-O`
/// is given to the frontend, where the last one counts, and `-enable-default-cmo`, which the driver adds to `-O`, with
/// it.
let hot: [SwiftSetting] =
  isDependency || Context.environment["BABBENCH_OPTIMISER"] != "hot"
  ? []
  : [.unsafeFlags(["-Xfrontend", "-O", "-Xfrontend", "-enable-default-cmo"], .when(configuration: .release))]

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = []
) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict + settings)
}

/// For targets in which the optimiser costs more than it saves. Test purposes and broken engines are thousands of
/// closures, each of which runs for microseconds: with the optimiser BabSuite compiles in 107 seconds instead of 18,
/// and the suite's self-test takes a fifth less time. Commands parse, plan, share out work and print; reports are
/// written when the worlds are over. (Conformance has the optimiser: without it, a run takes half as long again. So has
/// Explore, whose worlds would take a tenth longer.) Whoever depends on this package has the optimiser everywhere.
let unoptimised: [SwiftSetting] = isDependency ? [] : [.unsafeFlags(["-Onone"], .when(configuration: .release))]

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["Expectations"], exclude: exclude, swiftSettings: strict + unoptimised)
}

/// A release has no debug information: a backtrace of it names functions, but no lines. What is wrong in a release shows
/// in a debug build as well, since a run is repeatable.
let stripped: [LinkerSetting] =
  isDependency
  ? [] : [.unsafeFlags(["-Xlinker", "--strip-debug"], .when(platforms: [.linux], configuration: .release))]

/// Swift brings a linker that takes half as long as the system's. `SimKernel`, which says so, is in every product.
let swiftLinker: [LinkerSetting] =
  isDependency ? [] : [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]

/// What instrumented code calls; an executable that opens a parser in a shared library offers it.
let coverageCalls =
  [
    "8bit_counters_init", "pcs_init", "trace_pc_guard_init", "trace_pc_guard", "trace_pc_indir", "trace_switch",
    "trace_div4", "trace_div8", "trace_gep",
  ]
  + [1, 2, 4, 8].flatMap { ["trace_cmp\($0)", "trace_const_cmp\($0)"] }
let hostsParsers: [LinkerSetting] =
  isDependency
  ? []
  : [
    .unsafeFlags(
      (coverageCalls.map { "__sanitizer_cov_" + $0 } + ["__sancov_lowest_stack"])
        .flatMap { ["-Xlinker", "--export-dynamic-symbol=" + $0] },
      .when(platforms: [.linux]))
  ]

/// What products consist of: the modules that one imports, and those whose types their declarations name.
let wireModules = ["BluetoothWire", "SimKernel"]
let radioModules = ["VirtualRadio"] + wireModules
let worldModules = ["Bench", "Platform", "AppSeam", "VirtualNetwork"] + radioModules
let captureModules = ["CaptureCheck", "CaptureFormats", "Judging", "NetworkWire"]
let appModules = ["Conformance"] + captureModules + worldModules

/// The arrows of ARCHITECTURE.md, as the build sees them; RepositoryTests holds the rest. Docs/API.md says what each
/// library product is for, and Docs/API lists what binds.
let package = Package(
  name: "babbench",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "babbench", targets: ["babbench"]),
    .library(name: "AppProtocols", targets: ["Bystanders"] + appModules),
    .library(name: "Commands", targets: ["Commands", "Fuzzing", "HCIPorts"] + appModules),
    .library(name: "Captures", targets: captureModules + wireModules),
    .library(name: "VirtualRadio", targets: radioModules),
    .library(name: "HCIPorts", targets: ["HCIPorts", "CaptureFormats"] + radioModules),
    .library(name: "BabSim", targets: ["BabSim"] + worldModules),
    .library(name: "BabConformance", targets: ["BabSuite", "BabSim"] + appModules),
    .library(name: "BeamConformance", targets: ["BeamSuite", "BeamScribe"] + appModules),
    .library(name: "BabbenchMutator", type: .dynamic, targets: ["BabbenchMutator"]),
  ],
  // One trait by default: SwiftPM 6.3 gives several to the compiler in an order that differs from one plan of a build to
  // the next, and each new order compiles everything again.
  traits: [
    .default(enabledTraits: ["Tools"]),
    .trait(name: "Pages", description: "What judges and draws: suites, captures, timelines."),
    .trait(name: "Ports", description: "Ports of HCI, and pages that are served."),
    .trait(name: "Tools", description: "Everything: the commands, too."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
  ],
  targets: [
    .target(name: "SimKernel", swiftSettings: strict + hot, linkerSettings: swiftLinker),
    library("BluetoothWire", [], hot),
    library("CaptureFormats", [], hot),
    library("NetworkWire", ["BluetoothWire"], hot),
    .systemLibrary(
      name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
    library("LinkCrypto", ["BluetoothWire", "CLibCrypto"], hot),
    library("VirtualRadio", ["LinkCrypto", "SimKernel", "BluetoothWire"], hot),
    library("RadioLaws", ["VirtualNetwork", "NetworkWire", "AppSeam"] + radio, unoptimised),
    library("VirtualNetwork", ["AppSeam", "NetworkWire", "SimKernel"], hot),
    library("AppSeam", ["SimKernel", "BluetoothWire"], hot),
    library("Platform", ["AppSeam", "VirtualNetwork"] + radio, hot),
    library("Bench", ["Platform", "AppSeam", "VirtualNetwork", .product(name: "Yams", package: "Yams")] + radio, hot),
    library("Judging", ["SimKernel", mustache], hot),
    library(
      "CaptureCheck",
      ["Judging", "CaptureFormats", "LinkCrypto", "NetworkWire", "SimKernel", "BluetoothWire", mustache], hot),
    library("Conformance", captures + bench + [mustache], hot),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(
      name: "RunReports", dependencies: ["CZlib", "Conformance", "NetworkWire"] + captures + bench + [mustache],
      resources: ["model.js", "drawing.js", "steps.js", "page.js", "timeline.css"].map {
        .embedInCode("Timelines/Page/" + $0)
      }, swiftSettings: strict + unoptimised),
    .target(
      name: "RunViews",
      dependencies: [
        "Judging", "CLibCrypto", mustache,
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Ports", "Tools"])),
      ] + nio, resources: [.embedInCode("Page/follow.js"), .embedInCode("Page/room.js")],
      swiftSettings: strict + unoptimised),
    library("Campaigns", ["Conformance", "CaptureCheck", "Judging", "SimKernel", mustache], unoptimised),
    library(
      "Stress", ["Conformance", "CaptureCheck", "Judging", histogram, mustache] + bench, hot),
    library("Shrink", ["Conformance", "Judging", "RunReports"] + bench, unoptimised),
    library("Explore", ["InPlaceFuzz", "Shrink", "RunReports", "Conformance", mustache] + captures + bench),
    library("BabSim", bench, hot),
    library("BabOracles", ["BabSim", "Conformance"] + captures + bench, hot),
    library("BabSuite", ["BabOracles", "BabSim", "Conformance"] + captures + bench, unoptimised),
    library("BeamScribe", bench, hot),
    library("Bystanders", ["CaptureCheck", "Conformance"] + bench, unoptimised),
    library("ProtocolFiles", ["Conformance", "Fuzzing"] + captures + bench, hot),
    library("InPlaceFuzz", ["Conformance", "CUnix"] + captures + bench),
    .target(name: "CUnix"),
    library("HCIPorts", ["CaptureFormats", "CUnix"] + nio + radio, hot),
    library("Fuzzing", ["HCIPorts", "Conformance", "CaptureFormats", "NetworkWire"] + bench, hot),
    library("BabFuzzing", ["Fuzzing", "BabSim", "SimKernel"]),
    library("BeamOracles", ["BeamScribe", "Conformance", "NetworkWire"] + captures + bench, hot),
    library(
      "BeamSuite", ["BeamOracles", "BeamScribe", "Conformance"] + captures + bench, unoptimised),
    library("BeamFuzzing", ["Fuzzing", "BeamScribe", "SimKernel"]),
    .target(name: "CParserHost"),
    library(
      "ParserTargets", ["Fuzzing", "CParserHost", "Bench", "Conformance", "AppSeam", "BluetoothWire", "SimKernel"],
      unoptimised),
    library(
      "Commands",
      [
        "Campaigns", "Explore", "Fuzzing", "HCIPorts", "Conformance", "InPlaceFuzz", "ParserTargets",
        "ProtocolFiles", "RadioLaws", "Shrink", "Stress", "RunReports", "RunViews", arguments,
      ]
        + captures + bench, unoptimised),
    .executableTarget(
      name: "babbench",
      dependencies: [
        "Commands", "Fuzzing", "BabFuzzing", "BeamFuzzing", "Conformance", "Bystanders", "BabSim", "BabSuite",
        "BeamSuite", arguments,
      ],
      swiftSettings: strict, linkerSettings: stripped + hostsParsers),
    .target(name: "CLibFuzzer"),
    library("BabbenchMutator", ["BabFuzzing", "Fuzzing", "SimKernel", "CLibFuzzer"]),
    // Without a main: libFuzzer has it (Tests/Coverage/run).
    .executableTarget(
      name: "parserfuzz",
      dependencies: [
        "BabFuzzing", "BabSuite", "BeamFuzzing", "BeamSuite", "Bystanders", "Conformance", "Fuzzing", "Bench",
        "SimKernel",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "Measure",
      dependencies: [
        "BabSuite", "BabSim", "BabOracles", "BeamSuite", "Conformance", "HCIPorts", "ProtocolPairs", "RunReports",
        "Shrink",
      ] + captures + bench,
      path: "Benchmarks", exclude: ["BugBench", "Peers", "README.md"], swiftSettings: strict),
    .target(name: "PlantedParsers", path: "Benchmarks/BugBench/Parsers", swiftSettings: strict),
    .executableTarget(
      name: "BugBench",
      dependencies: [
        "PlantedParsers", "InPlaceFuzz", "Fuzzing", "BabFuzzing", "BabSuite", "Conformance", "CUnix",
      ] + bench,
      path: "Benchmarks/BugBench/Bench", swiftSettings: strict + unoptimised),
    .target(name: "Expectations", path: "Tests/Expectations", swiftSettings: strict),
    tests("WireTests", ["NetworkWire", "BluetoothWire", "SimKernel"]),
    tests("CaptureFormatsTests", ["CaptureFormats"]),
    tests(
      "VirtualRadioTests", ["LinkCrypto", "RadioLaws", "Bench", "AppSeam"] + radio, exclude: ["Measured/phones.tsv"]),
    tests("VirtualNetworkTests", ["VirtualNetwork", "AppSeam", "NetworkWire", "SimKernel"]),
    tests("PlatformTests", ["Platform", "AppSeam", "VirtualNetwork"] + radio),
    tests(
      "ProtocolFilesTests",
      ["CaptureTestSupport", "ProtocolPairs", "ProtocolFiles", "Conformance", "Fuzzing"]
        + bab + beam + captures + bench, exclude: ["slips.tsv"]),
    .target(
      name: "ProtocolPairs", dependencies: ["ProtocolFiles", "Conformance"] + bab + beam + captures + bench,
      path: "Tests/ProtocolPairs", exclude: ["bab.yaml", "beamscribe.yaml"], swiftSettings: strict),
    tests("BabSimTests", ["BabSim", "BabFuzzing", "Bystanders"] + bench),
    tests("BeamScribeTests", ["BeamScribe", "BeamFuzzing", "Fuzzing"] + bench),
    tests(
      "BeamSuiteTests",
      ["CaptureTestSupport", "SuiteTestSupport", "Conformance", "NetworkWire"] + beam + captures + bench),
    .target(
      name: "CaptureTestSupport", dependencies: captures + radio + ["Expectations"], path: "Tests/CaptureTestSupport",
      swiftSettings: strict + unoptimised),
    .target(
      name: "SuiteTestSupport", dependencies: ["Conformance", "AppSeam", "Expectations"],
      path: "Tests/SuiteTestSupport", swiftSettings: strict),
    tests("CaptureCheckTests", ["CaptureTestSupport", "LinkCrypto", "NetworkWire"] + captures + radio),
    tests(
      "BabSuiteTests",
      ["CaptureTestSupport", "SuiteTestSupport", "Conformance", "Bystanders"] + bab + captures + bench),
    tests("HCIPortsTests", ["HCIPorts", "CaptureFormats", "CUnix"] + radio),
    .executableTarget(
      name: "echobench",
      dependencies: ["Commands", "Fuzzing", "Conformance", "Bystanders"] + captures + bench,
      path: "Tests/Outside/Echo", packageAccess: false, swiftSettings: strict + unoptimised,
      linkerSettings: hostsParsers),
    tests(
      "BabbenchTests",
      [
        "babbench", "echobench", "Measure", "BugBench", "Commands", "RadioLaws", "HCIPorts", "Conformance",
        "Campaigns", "InPlaceFuzz", "Stress", "CaptureTestSupport",
        .product(name: "Yams", package: "Yams"),
      ] + bab + captures + bench),
    tests(
      "FaultSearchTests",
      [
        "Explore", "Shrink", "Stress", "Fuzzing", "BabFuzzing", "RunReports", "Conformance", "Judging",
        "Bystanders",
      ] + bab + beam + bench),
    tests(
      "RunReportsTests",
      ["RunReports", "RunViews", "CaptureTestSupport", "CZlib", "Conformance", "NetworkWire"]
        + captures + bab + beam + bench),
    // It reads every file of the checkout, octet by octet.
    .testTarget(name: "RepositoryTests", dependencies: ["Expectations"], swiftSettings: strict + hot),
  ]
)

// Apple platforms have CoreBluetooth, and another Dispatch.
#if os(Linux)
  func sample(
    _ name: String, in folder: String = "corebluetooth", _ dependencies: [Target.Dependency] = ["LobbyRules"]
  ) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies + ["VirtualProgram", "CoreBluetooth"],
      path: "Examples/\(folder)/Sources/" + name, packageAccess: false,
      swiftSettings: [.swiftLanguageMode(.v5)] + released + unoptimised)
  }

  let programModules = ["VirtualProgram", "VirtualTime", "CoreBluetooth"]
  package.products += [
    .library(name: "CoreBluetooth", targets: ["CoreBluetooth", "AppSeam"] + wireModules),
    .library(name: "Network", targets: ["Network", "CoreBluetooth", "AppSeam"] + wireModules),
    .library(
      name: "MultipeerConnectivity",
      targets: ["MultipeerConnectivity", "Network", "CoreBluetooth", "AppSeam"] + wireModules),
    .library(name: "VirtualProgram", targets: programModules + ["AppSeam"] + wireModules),
    .library(name: "VirtualRoom", targets: ["VirtualRoom"] + programModules + worldModules),
    .library(name: "RoomTimelines", targets: ["RoomTimelines", "VirtualRoom"] + programModules + worldModules),
  ]
  package.targets += [
    .target(name: "CCoreBluetooth"),
    library("CoreBluetooth", ["CCoreBluetooth", "AppSeam", "BluetoothWire", "SimKernel"], unoptimised),
    library("Network", ["CoreBluetooth", "AppSeam", "SimKernel"], unoptimised),
    library("MultipeerConnectivity", ["Network"], unoptimised),
    .target(name: "CVirtualTime", linkerSettings: [.linkedLibrary("dispatch"), .linkedLibrary("BlocksRuntime")]),
    library("VirtualTime", ["CVirtualTime", "SimKernel"]),
    library("VirtualRoom", ["VirtualProgram", "CoreBluetooth", "VirtualTime"] + bench, unoptimised),
    library(
      "RoomTimelines", ["VirtualRoom", "RunReports", "Bystanders", "Conformance", "Judging"] + bench),
    library(
      "VirtualProgram", ["CoreBluetooth", "VirtualTime", "AppSeam", "BluetoothWire", "SimKernel"],
      unoptimised),
    // Apps as public guides write them, in the language mode that most have.
    .target(
      name: "GuideApps", dependencies: ["CoreBluetooth"], path: "Tests/GuideApps",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    tests("CoreBluetoothTests", ["CoreBluetooth", "GuideApps", "AppSeam", "BluetoothWire", "SimKernel"]),
    // The sample that has a package of its own, for its test.
    .target(
      name: "LobbyRules", path: "Examples/corebluetooth/Sources/LobbyRules",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .executableTarget(
      name: "restored-program", dependencies: ["GuideApps", "VirtualProgram", "CoreBluetooth"],
      path: "Tests/RestoredProgram", packageAccess: false,
      swiftSettings: [.swiftLanguageMode(.v5)] + unoptimised),
    sample("guide-host"),
    sample("sound-host"),
    sample("sound-client"),
    .target(
      name: "BeamApp", dependencies: ["Network", "CoreBluetooth"], path: "Examples/beamscribe/Sources/BeamApp",
      packageAccess: false, swiftSettings: [.swiftLanguageMode(.v5)]),
    sample("beam-host", in: "beamscribe", ["BeamApp"]),
    sample("beam-guest", in: "beamscribe", ["BeamApp"]),
    tests(
      "NetworkTests",
      [
        "Network", "MultipeerConnectivity", "BeamApp", "VirtualRoom", "CoreBluetooth", "BeamSuite", "BeamScribe",
        "Conformance",
      ] + bench),
    tests(
      "VirtualProgramTests",
      [
        "VirtualProgram", "babbench", "guide-host", "sound-host", "sound-client", "restored-program", "beam-host",
        "beam-guest", "GuideApps", "VirtualTime", "CoreBluetooth", "Bystanders", "Conformance", "Judging",
      ] + bench),
    tests(
      "VirtualRoomTests",
      [
        "VirtualRoom", "RoomTimelines", "RunReports", "CoreBluetooth", "GuideApps", "LobbyRules", "sound-host",
        "BabSim", "BabSuite", "BeamScribe", "BeamSuite", "Bystanders", "Conformance",
      ] + bench),
    // Each product through its public door; Tests/Outside/Package.swift has the same sources as a package of its own.
    .testTarget(
      name: "OutsiderTests",
      dependencies: [
        "echobench", "HCIPorts", "VirtualRoom", "RoomTimelines", "CoreBluetooth", "Network",
        "MultipeerConnectivity", "BabSim", "BabSuite", "BeamSuite", "Bystanders", "Conformance",
      ]
        + captures + bench,
      path: "Tests/Outside/Doors", packageAccess: false, swiftSettings: strict + unoptimised),
  ]
#endif
