import Bench

/// Leaving out parts of a list: halves, quarters and so on down to single ones.
extension Shrinker {
  /// - Parameters:
  ///   - count: how many parts there are.
  ///   - make: the scenario with the parts of these indices, ascending; nil where there is none.
  func minimise(count: Int, make: (_ kept: [Int], _ dropped: [Int]) -> Candidate?) {
    var kept = Array(0..<count)
    var size = kept.count
    while size > 0, !isOver {
      var candidates: [(candidate: Candidate, kept: [Int])] = []
      // What comes last depends on what comes first, so it goes first.
      var end = kept.count
      while end > 0 {
        let start = max(0, end - size)
        let rest = Array(kept[..<start] + kept[end...])
        if let candidate = make(rest, Array(kept[start..<end])) { candidates.append((candidate, rest)) }
        end = start
      }
      if let index = takeFirst(of: candidates.map(\.candidate)) {
        kept = candidates[index].kept
        size = min(size, kept.count)
      } else {
        size /= 2
      }
    }
  }

  /// Leaves out parts of the container at a path.
  func minimise(_ path: TreePath, _ level: ShrinkLevel, where isDroppable: (TreePath.Part) -> Bool = { _ in true }) {
    let tree = current.tree
    let all = tree.children(at: path)
    let parts = all.filter(isDroppable)
    minimise(count: parts.count) { kept, dropped in
      let gone = dropped.map { parts[$0] } + parts.indices.filter { !kept.contains($0) }.map { parts[$0] }
      let names = dropped.map { tree.words(at: path.adding(parts[$0])) }
      let need = dropped.count == 1 ? (path.adding(parts[dropped[0]]).words, names[0]) : nil
      return Candidate(
        tree.keeping(all.filter { !gone.contains($0) }, at: path), level, names.joined(separator: ", "), need: need)
    }
  }

  func dropExpectations() {
    minimise(TreePath(["expect"]), .expectations)
    dropEmpty("expect", .expectations)
  }

  func dropSteps() {
    minimise(TreePath(["steps"]), .steps)
    for part in current.tree.children(at: TreePath(["steps"])) {
      minimise(TreePath(["steps"]).adding(part), .steps)
    }
    dropEmpty("steps", .steps)
  }

  private func dropEmpty(_ key: String, _ level: ShrinkLevel) {
    guard current.tree.entry(key)?.isEmptyCollection == true else { return }
    _ = take(Candidate(current.tree.removing(TreePath([key])), level, key))
  }

  func dropDevices() {
    let roster = DeviceRoster(current.tree)
    minimise(count: roster.members.count) { kept, dropped in
      if kept.isEmpty { return nil }
      let names = dropped.map { roster.members[$0].name }
      return Candidate(
        roster.keeping(kept), .devices, names.joined(separator: ", "),
        need: names.count == 1 ? ("devices." + names[0], ShrinkResult.device + names[0]) : nil)
    }
  }

  /// Every mapping and list below the top, from the outside in. Devices and steps are other levels.
  func dropParts() {
    minimise(TreePath([]), .parts) { $0 != .key("devices") && $0 != .key("steps") && $0 != .key("expect") }
    for part in current.tree.children(at: TreePath([])) {
      let path = TreePath(parts: [part])
      switch path.top {
      case "expect": continue
      case "devices", "steps": for child in current.tree.children(at: path) { dropParts(in: path.adding(child)) }
      default: dropParts(in: path)
      }
    }
  }

  private func dropParts(in path: TreePath) {
    if path.isOfProgram { return }
    minimise(path, path.top == "radio" ? .radio : .parts) { isDroppable($0, in: path) }
    for part in current.tree.children(at: path) { dropParts(in: path.adding(part)) }
  }

  /// Some parts make a scenario harsher when they are left out.
  private func isDroppable(_ part: TreePath.Part, in path: TreePath) -> Bool {
    switch (path.lastKey, part) {
    case ("message fault", .key("count")), ("bursts", .key("loss in bad")): false
    default: !(path.top == "devices" && path.parts.count == 2 && part == .key("count"))
    }
  }

  /// Parts that need each other: both are left out at once.
  func dropPairs() {
    func dropPairs(in path: TreePath) {
      if path.isOfProgram { return }
      let parts = current.tree.children(at: path).filter { isDroppable($0, in: path) }
      let isRoster = path.top == "devices" && path.parts.count == 1
      if (2...6).contains(parts.count), !isRoster, path.top != "expect" || path.parts.count > 1 {
        var pairs: [Candidate] = []
        for (index, first) in parts.enumerated() {
          for second in parts[(index + 1)...] {
            let left = current.tree.children(at: path).filter { $0 != first && $0 != second }
            let names = [first, second].map { path.adding($0).words }
            pairs.append(
              Candidate(current.tree.keeping(left, at: path), .parts, names.joined(separator: ", ")))
          }
        }
        if takeFirst(of: pairs) != nil { return }
      }
      for part in current.tree.children(at: path) { dropPairs(in: path.adding(part)) }
    }
    dropPairs(in: TreePath([]))
  }
}
