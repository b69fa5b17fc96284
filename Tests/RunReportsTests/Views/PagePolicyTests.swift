import Expectations
import Testing

@testable import RunViews

@Suite("What a page may do")
struct PagePolicyTests {
  private static func policy(_ page: String) -> String { PagePolicy.page(Array(page.utf8)) }

  @Test("The script at the end of a page is named by its hash, and nothing else may run")
  func own() {
    // printf abc | openssl dgst -sha256 -binary | base64
    let page = "<html><body><p>x</p><script>abc</script></body></html>\n"
    let policy = Self.policy(page)
    expect(policy.contains("script-src 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='; "), "\(policy)")
    expect(!policy.contains("script-src 'unsafe-inline'"))
  }

  @Test("A script that came into a page with a text has no hash")
  func foreign() {
    let own = "<script>abc</script></body></html>"
    equal(Self.policy("<body><script>evil()</script>" + own), Self.policy("<body>" + own))
  }

  @Test(
    "A page without a script at its end may run none",
    arguments: [
      "", "</script></body></html>", "<html></html>", "<body><script>abc</script>more</body></html>",
      "<script type=\"text/plain\">abc</script></body></html>",
    ])
  func none(page: String) {
    equal(Self.policy(page), PagePolicy.plain)
    expect(PagePolicy.plain.contains("script-src 'none'; "))
  }
}
