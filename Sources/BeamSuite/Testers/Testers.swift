/// The lower testers of a case, by number.
///
/// A procedure that takes all of them, or the first so many, takes those that take part. One that names another gets
/// it, and the case ends as inconclusive when something is asked of it.
struct Testers<Tester: LowerTester>: RandomAccessCollection {
  /// Those that the case is played without come last.
  private(set) var withAbsent: [Tester] = []
  private(set) var endIndex = 0

  var startIndex: Int { 0 }

  mutating func append(_ tester: Tester) {
    withAbsent.append(tester)
    if !tester.isAbsent { endIndex += 1 }
  }

  subscript(position: Int) -> Tester { withAbsent[position] }
}
