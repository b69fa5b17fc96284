"""What `without-objc` makes of an app's file, and what it leaves to a person."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "without-objc"
MANAGER = """\
import CoreBluetooth

@objcMembers
final class Manager: NSObject {
  @objc dynamic var count = 0
  private var timer: Timer?

  func start() {
    timer = Timer.scheduledTimer(
      timeInterval: 2.5, target: self, selector: #selector(tick), userInfo: nil, repeats: true)
    NotificationCenter.default.addObserver(
      self, selector: #selector(wake(_:)), name: Notification.Name("wake"), object: nil)
  }

  @objc private func tick() { count += 1 }
  @objc func wake(_ notification: Notification) { count += 10 }
}
"""
OTHERS = """\
@objc public protocol Listener {
  func heard()
}
@objc protocol Named: NSObjectProtocol {}
class Clock: NSObject {
  func wind() {
    Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(self.strike(timer:)),
      userInfo: (1, "two"), repeats: false)
  }
  @objc func strike(timer: Timer) { print(timer.userInfo as! (Int, String)) }
}
"""
LOOSE = """\
class Loose: NSObject {
  func begin() {
    add(Timer(timeInterval: 2, target: self, selector: #selector(tick), userInfo: nil, repeats: true))
    add(Timer(timeInterval: wait(1), target: self, selector: #selector(tick), userInfo: 7, repeats: false))
    add(Timer(timeInterval: 3, repeats: false) { _ in })
  }
  @objc func tick() {}
}
"""
LEFT = """\
class Old: NSObject {
  func begin(_ peripheral: CBPeripheral) {
    peripheral.addObserver(self, forKeyPath: "state", options: .new, context: nil)
    button.addTarget(self, action: #selector(begin(_:)), for: .touchUpInside)
    #if canImport(ObjectiveC)
    perform(#selector(begin(_:)))
    #endif
  }
}
"""


class WithoutObjC(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def run_tool(self, name, text):
        (self.path / name).write_text(text)
        return subprocess.run(
            [sys.executable, TOOL, "--output", self.path / "out", self.path / name], capture_output=True, text=True)

    def test_attributes_timers_and_notifications(self):
        result = self.run_tool("Manager.swift", MANAGER)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        made = (self.path / "out/Manager.swift").read_text()
        for word in ("@objc", "dynamic", "#selector"):
            self.assertNotIn(word, made)
        self.assertIn("Timer.scheduledTimer(withTimeInterval: 2.5, repeats: true) { [weak self] _ in self?.tick() }", made)
        self.assertIn("{ [weak self] notification in self?.wake(notification) }", made)
        self.assertEqual(made.count("\n"), MANAGER.count("\n"))
        self.assertEqual((self.path / "Manager.swift").read_text(), MANAGER)

    def test_protocols_and_labels(self):
        result = self.run_tool("Others.swift", OTHERS)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        made = (self.path / "out/Others.swift").read_text()
        self.assertIn("public protocol Listener: AnyObject {", made)
        self.assertIn("protocol Named: NSObjectProtocol {}", made)
        self.assertIn("repeats: false) { [weak self] timer in self?.strike(timer: timer) }", made)

    def test_the_user_info_of_a_timer_is_kept(self):
        self.run_tool("Others.swift", OTHERS)
        made = (self.path / "out/Others.swift").read_text()
        self.assertIn('TimerWithUserInfo.scheduledTimer(withTimeInterval: 1, userInfo: (1, "two"), repeats: ', made)
        self.assertEqual(made.count("private final class TimerWithUserInfo: Timer {"), 1)
        lines = OTHERS.splitlines()
        self.assertEqual(made.splitlines()[len(lines) - 2], lines[-2].replace("@objc ", ""))
        self.run_tool("Manager.swift", MANAGER)
        self.assertNotIn("TimerWithUserInfo", (self.path / "out/Manager.swift").read_text())

    def test_timers_that_are_not_scheduled_fire_after_their_interval(self):
        self.run_tool("Loose.swift", LOOSE)
        made = (self.path / "out/Loose.swift").read_text()
        for call in (
            "Timer(fire: Date(timeIntervalSinceNow: 2), interval: 2, repeats: true) { [weak self] _ in self?.tick() }",
            "TimerWithUserInfo(fire: Date(timeIntervalSinceNow: wait(1)), interval: wait(1), userInfo: 7, ",
            "Timer(fire: Date(timeIntervalSinceNow: 3), interval: 3, repeats: false) { _ in }",
        ):
            self.assertIn(call, made)

    def test_what_is_left_has_its_place_and_a_remedy(self):
        result = self.run_tool("Old.swift", LEFT)
        self.assertEqual(result.returncode, 1)
        lines = [line.split("Old.swift:")[1] for line in result.stderr.splitlines()]
        self.assertEqual([line.split(": ")[0] for line in lines], ["3:16", "4:36"])
        self.assertIn("use observe(_:options:changeHandler:)", lines[0])
        self.assertIn("give a closure", lines[1])

    def test_files_that_cannot_be_read_or_would_be_lost(self):
        call = [sys.executable, TOOL, "--output"]
        missing = subprocess.run([*call, self.path / "out", self.path / "no.swift"], capture_output=True, text=True)
        self.assertEqual(missing.returncode, 64)
        self.assertFalse((self.path / "out").exists())
        (self.path / "a.swift").write_text("// a")
        own = subprocess.run([*call, self.path, self.path / "a.swift"], capture_output=True, text=True)
        self.assertEqual((own.returncode, own.stderr.count("written over")), (64, 1))


if __name__ == "__main__":
    unittest.main()
