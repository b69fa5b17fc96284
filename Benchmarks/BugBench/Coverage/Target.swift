// The planted parsers as libFuzzer takes them: one, named by BUGBENCH_DEFECT. `BugBench libfuzzer` compiles this with the
// files of ../Parsers; there is no grammar, no mutator and no first input here.

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

private let parser: PlantedParser = {
  let name = getenv("BUGBENCH_DEFECT").map { String(cString: $0) } ?? ""
  guard let parser = PlantedParser.all.first(where: { $0.id == name }) else { exit(64) }
  return parser
}()

/// The rules that every decoder is held to, as in `FuzzedDecoder.judge`.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ octets: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: octets, count: count))
  switch parser.answer(to: input, isSound: false) {
  case .refused(_, let offset): if offset < 0 || offset > count { abort() }
  case .accepted(_, nil): break
  case .accepted(let kind, let canonical?):
    guard case .accepted(kind, canonical) = parser.answer(to: canonical, isSound: false) else { abort() }
  }
  return 0
}
