/// What somebody who builds on a protocol wants to know of its times: how long does it take this way, and how long that
/// way? `babbench figures` answers these.
public struct FigureQuestion: Hashable, Sendable {
  /// For the command line and files: letters and hyphens.
  public var name: String
  /// For people, as a question.
  public var title: String
  /// What is compared, and what is to be known of it; Markdown.
  public var text: String
  /// A shipped scenario.
  public var scenario: String
  public var ways: [ComparedWay]
  /// By name, those that are drawn first.
  public var measures: [String]
  /// How many of the measures are drawn.
  public var drawn: Int
  /// Worlds of each way.
  public var worlds: Int

  public init(
    _ name: String, _ title: String, _ text: String, in scenario: String, ways: [ComparedWay], measures: [String],
    drawn: Int = 1, worlds: Int
  ) {
    self.name = name
    self.title = title
    self.text = text
    self.scenario = scenario
    self.ways = ways
    self.measures = measures
    self.drawn = drawn
    self.worlds = worlds
  }

  /// The words of the command that plays a way alone, after the program's name.
  public func words(_ way: ComparedWay) -> [String] {
    ["stress", scenario, "--seeds", "1..\(worlds)"] + way.settings.flatMap { ["--set", $0] }
  }
}

/// One of several ways to do the same.
public struct ComparedWay: Hashable, Sendable {
  /// For people.
  public var name: String
  /// As for `--set`: what it is made of.
  public var settings: [String]

  public init(_ name: String, _ settings: String...) {
    self.name = name
    self.settings = settings
  }
}

/// Ways to do the same, held against each other feature by feature.
public struct FeatureComparison: Hashable, Sendable {
  /// Something that people use, as a shipped scenario that passes where it is there.
  public struct Feature: Hashable, Sendable {
    /// For people.
    public var title: String
    public var scenario: String
    /// As for `--set`, beside those of the way.
    public var settings: [String]

    public init(_ title: String, in scenario: String, settings: [String] = []) {
      self.title = title
      self.scenario = scenario
      self.settings = settings
    }
  }

  /// For the command line: letters and hyphens.
  public var name: String
  public var title: String
  /// What is compared; Markdown.
  public var text: String
  public var ways: [ComparedWay]
  public var features: [Feature]
  /// Worlds of each feature in each way.
  public var worlds: Int

  public init(_ name: String, _ title: String, _ text: String, ways: [ComparedWay], features: [Feature], worlds: Int) {
    self.name = name
    self.title = title
    self.text = text
    self.ways = ways
    self.features = features
    self.worlds = worlds
  }

  /// The words of the command that plays a feature in a way, after the program's name.
  public func words(_ feature: Feature, _ way: ComparedWay) -> [String] {
    ["stress", feature.scenario, "--seeds", "1..\(worlds)"]
      + (way.settings + feature.settings).flatMap { ["--set", $0] }
  }
}

/// Everything that `babbench figures` asks of a protocol.
public struct ProtocolFigures: Hashable, Sendable {
  /// What the page is about, a paragraph of Markdown.
  public var introduction: String
  public var questions: [FigureQuestion]
  public var comparisons: [FeatureComparison]

  public init(_ introduction: String, questions: [FigureQuestion], comparisons: [FeatureComparison] = []) {
    self.introduction = introduction
    self.questions = questions
    self.comparisons = comparisons
  }

  /// Names of all, in the order of the page.
  public var names: [String] { questions.map(\.name) + comparisons.map(\.name) }
}
