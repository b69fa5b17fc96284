import Expectations
import SimKernel
import Testing

@Suite("Instants and durations")
struct SimInstantTests {
  @Test(
    "Print as seconds with nine decimals",
    arguments: [
      (0, "0.000000000"), (1, "0.000000001"), (999_999_999, "0.999999999"), (1_000_000_000, "1.000000000"),
      (12_345_000_000, "12.345000000"), (-1, "-0.000000001"), (-30_000_000_000, "-30.000000000"),
      (Int64.max, "9223372036.854775807"), (Int64.min, "-9223372036.854775808"),
    ] as [(Int64, String)])
  func text(nanoseconds: Int64, expected: String) {
    equal(SimDuration(nanoseconds: nanoseconds).description, expected)
    equal("\(SimInstant(nanoseconds: nanoseconds))", expected)
  }

  @Test("Units are what they are called")
  func units() {
    equal(SimDuration.microseconds(150), .nanoseconds(150_000))
    equal(SimDuration.milliseconds(10), .microseconds(10_000))
    equal(SimDuration.seconds(30), .milliseconds(30_000))
  }

  @Test("Arithmetic is that of the integers")
  func arithmetic() {
    let instant = SimInstant.zero + .microseconds(1_250) * 24
    equal(instant.nanoseconds, 30_000_000)
    equal(instant - .milliseconds(10) - .zero, .milliseconds(20))
    equal(SimDuration.seconds(1) / .milliseconds(30), 33)
    equal(SimDuration.seconds(1) / 3, .nanoseconds(333_333_333))
    var sum = SimDuration.zero
    sum += .seconds(2)
    equal(sum + .seconds(1) - .seconds(4), .seconds(-1))
    expect(SimInstant.zero < instant && instant < .distantFuture)
  }
}
