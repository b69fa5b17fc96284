import Expectations
import Foundation
import Testing

/// Every shell line of the page is executed: with a stand-in for the program, so that it costs a few seconds, or with
/// a real release in a bare root (Packaging/prove).
@Suite("Docs/CI.md", .serialized, .enabled(if: CIRelease.isPossible))
struct CIPageTests {
  /// A block of the page: how it is fenced, and what only it contains.
  enum Recipe: String, CaseIterable {
    case command = ":babbench conform"
    case gitHub = "yaml:$GITHUB_PATH"
    case gitLab = "yaml:before_script"
    case shell = "sh:case $code"
    case container = "sh:podman build"
    case stack = "sh:pip install bumble"
    case captures = "sh:logs/host-btsnoop.log"

    func isIn(_ block: CIRecipes.Block) -> Bool {
      let parts = rawValue.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return block.kind == parts[0] && block.text.contains(parts[1])
    }
  }

  private let blocks: [CIRecipes.Block]
  private let folder: TemporaryFolder

  /// A project with an engine, as the page supposes it.
  init() throws {
    blocks = try CIRecipes.blocks()
    folder = try TemporaryFolder()
    let example = Repository.path("Examples/iut-python")
    try FileManager.default.copyItem(atPath: example, toPath: folder.path + "/ci")
    try FileManager.default.moveItem(atPath: folder.path + "/ci/host.yaml", toPath: folder.path + "/ci/my-host.yaml")
  }

  private func block(_ recipe: Recipe) throws -> String { try required(blocks.first(where: recipe.isIn)).text }

  /// A path of the project as its shell sees it.
  private func inside(_ name: String) -> String { folder.path.dropFirst(CIShell.bareRoot?.count ?? 0) + "/" + name }

  private func run(_ script: String, path: [String] = []) throws -> CIShell.Ending {
    let release = CIShell.bareRoot == nil ? try CIRelease.folder() : "/release"
    return try CIShell.run(
      script, in: folder.path, path: path,
      environment: [
        "BABBENCH_RELEASE": "file://" + release, "GITHUB_PATH": inside("github-path"),
        "GITHUB_STEP_SUMMARY": inside("summary.md"),
      ],
      root: CIShell.bareRoot)
  }

  /// Installs the wheel as the page does, and says where its program is.
  private func installed() throws -> [String] {
    let lines = try CIRecipes.gitLabScript(try block(.gitLab)).split(separator: "\n").dropLast()
    let ending = try run(lines.joined(separator: "\n"))
    try require(ending.status == 0, "\(ending.output)")
    return [inside("bench/bin")]
  }

  private func expectKept(_ recipe: String) throws {
    let files = try CIRecipes.kept(recipe)
    expect(!files.isEmpty)
    for file in files { expect(FileManager.default.fileExists(atPath: folder.path + "/" + file), "\(file)") }
  }

  @Test("Every block of the page is one that a test executes")
  func complete() {
    for recipe in Recipe.allCases { equal(blocks.count(where: recipe.isIn), 1, "\(recipe)") }
    for block in blocks { expect(Recipe.allCases.contains { $0.isIn(block) }, "\(block.text)") }
  }

  @Test("The command at the top passes the engine of the examples", .proof)
  func command() throws {
    let ending = try run(try block(.command), path: try installed())
    equal(ending.status, 0, "\(ending.output)")
    try expect(folder.files(in: "conform-out").contains("report.html"))
  }

  @Test("GitHub's recipe installs the bench, passes the engine, and keeps what is there", .proof)
  func gitHub() throws {
    let recipe = try block(.gitHub)
    let steps = try CIRecipes.gitHubSteps(recipe)
    equal(steps.count, 2)
    for step in steps {
      let path = (try? folder.read("github-path"))?.split(separator: "\n").map(String.init) ?? []
      let ending = try run(step, path: path)
      equal(ending.status, 0, "\(step)\n\(ending.output)")
    }
    try expectKept(recipe)
  }

  @Test("GitLab's recipe does so too", .proof)
  func gitLab() throws {
    let recipe = try block(.gitLab)
    let ending = try run(try CIRecipes.gitLabScript(recipe))
    equal(ending.status, 0, "\(ending.output)")
    try expectKept(recipe)
  }

  @Test("A wheel that is not the one that was made is refused", .proof)
  func wrongWheel() throws {
    let lines = try CIRecipes.gitLabScript(try block(.gitLab)).split(separator: "\n").map(String.init)
    let check = try required(lines.firstIndex { $0.hasPrefix("sha256sum") })
    let name = try required(lines[0].split(separator: "/").last).dropLast()
    let ending = try run((lines[..<check] + ["echo >> \(name)"] + lines[check...]).joined(separator: "\n"))
    expect(ending.status != 0)
    try expect(!folder.files().contains("conform-out"))
  }

  @Test(
    "The shell recipe says what the exit code means", .proof,
    arguments: [(true, "conforms\n"), (false, "wrong command")])
  func shell(isThere: Bool, line: String) throws {
    let path = try installed()
    if !isThere { try FileManager.default.removeItem(atPath: folder.path + "/ci/my-host.yaml") }
    let ending = try run(try block(.shell), path: path)
    equal(ending.status, (isThere ? 0 : 64), "\(ending.output)")
    expect(ending.output.contains(line), "\(ending.output)")
  }

  @Test("Captures are judged, and both reports are there")
  func captures() throws {
    let path = try installed()
    let recorded = try run(
      """
      babbench run two-peers --out lobby > /dev/null
      mkdir logs
      cp lobby/host.btsnoop logs/host-btsnoop.log
      babbench convert lobby/client-1.btsnoop logs/client.pklg
      """, path: path)
    try require(recorded.status == 0, "\(recorded.output)")
    let ending = try run(try block(.captures), path: path)
    equal(ending.status, 0, "\(ending.output)")
    try equal(folder.files().filter { $0.hasPrefix("check.") }, ["check.html", "check.xml"])
  }

  /// The packages come from outside, so this takes half a minute.
  @Test("A lobby with Bumble in it passes, and its recording has the same digest")
  func stack() throws {
    guard Part.isAll, CIShell.bareRoot == nil else {
      return print("skipped: Docs/CI.md: the recipe with Bumble (BABBENCH_PROOFS=1 runs it, outside a bare root)")
    }
    let client = Repository.path("Tests/Foreign/bumble_client.py")
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/my_client.py", withDestinationPath: client)
    let ending = try run(try block(.stack), path: try installed())
    equal(ending.status, 0, "\(ending.output)")
  }

  @Test("The container is built, and the engine in the folder is tested in it")
  func container() throws {
    let tools = ProcessInfo.processInfo.environment["BABBENCH_CONTAINER_TOOLS"]
    guard let release = CIRelease.real, let tools else {
      return print("skipped: Docs/CI.md: the recipe with a container (Packaging/prove runs it)")
    }
    let lines = try block(.container).split(separator: "\n").map(String.init)
    equal(lines.count, 2)
    let built = try CIShell.run(lines[0], in: release, path: [tools])
    try require(built.status == 0, "\(built.output)")
    // Nothing is in the image that could start a script of Python; the bench's own engine is a program too.
    try folder.write(
      "role: host\nname: reference\ncommand: [babbench, engine, reference, --role, host]\n", to: "ci/my-host.yaml")
    let ending = try run(lines[1], path: [tools])
    equal(ending.status, 0, "\(ending.output)")
  }
}
