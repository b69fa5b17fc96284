import Expectations
import Testing

@testable import Conformance

/// Messages of Linux kernels as they were published, and what is read in them.
@Suite("The kernel's log")
struct KernelLogTests {
  struct Message: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var log: String
    var words: String
  }

  static let messages = [
    Message(
      testDescription: "Linux 6.6, a warning",
      log: """
        [ 7646.448460] ------------[ cut here ]------------
        [ 7646.448461] WARNING: CPU: 59 PID: 11837 at net/bluetooth/hci_conn.c:622 \
        hci_conn_timeout+0x5e/0xb0 [bluetooth]
        [ 7646.448929]  ? __warn+0x81/0x130
        """, words: "net/bluetooth/hci_conn.c:622: WARNING in hci_conn_timeout"),
    Message(
      testDescription: "Linux 5.15 of Ubuntu, a null pointer (bluez/bluez#221)",
      log: """
        [15151.278901] BUG: kernel NULL pointer dereference, address: 000000000000001a
        [15151.278907] #PF: supervisor read access in kernel mode
        [15151.278910] #PF: error_code(0x0000) - not-present page
        [15151.278913] PGD 0 P4D 0 
        [15151.278917] Oops: 0000 [#1] SMP NOPTI
        [15151.278922] CPU: 14 PID: 27773 Comm: kworker/u65:1 Not tainted 5.15.0-58-generic #64-Ubuntu
        [15151.278929] Workqueue: hci0 hci_rx_work [bluetooth]
        [15151.278966] RIP: 0010:hci_connect_le_scan_cleanup+0x1a/0x160 [bluetooth]
        [15151.279000] RSP: 0018:ffffb504c396fd30 EFLAGS: 00010286
        """, words: "hci_connect_le_scan_cleanup: BUG: kernel NULL pointer dereference"),
    Message(
      testDescription: "Linux 6.8, a counter of references: the caller is the place",
      log: """
        [  100.000001] refcount_t: underflow; use-after-free.
        [  100.000002] WARNING: CPU: 17 PID: 1800359 at lib/refcount.c:28 refcount_warn_saturate+0x9c/0xe0
        [  100.000003] Workqueue: nfsiod nfs_direct_write_schedule_work [nfs]
        [  100.000004] RIP: 0010:refcount_warn_saturate+0x9c/0xe0
        [  100.000005] Call Trace:
        [  100.000006]  <TASK>
        [  100.000007]  ? __warn+0x9f/0x130
        [  100.000008]  ? asm_exc_invalid_op+0x16/0x20
        [  100.000009]  ? refcount_warn_saturate+0x9c/0xe0
        [  100.000010]  nfs_direct_write_schedule_work+0x237/0x250 [nfs]
        [  100.000011]  process_one_work+0x12f/0x4a0
        """,
      words: "nfs_direct_write_schedule_work: WARNING in refcount_warn_saturate (lib/refcount.c:28)"),
    Message(
      testDescription: "KFENCE of Linux 6.6",
      log: """
        [  227.820066] ==================================================================
        [  227.820069] BUG: KFENCE: use-after-free read in nvme_command_effects+0x1f/0x90 [nvme_core]

        [  227.820091] Use-after-free read at 0x00000000c02dadcf (in kfence-#0):
        [  227.820094]  nvme_command_effects+0x1f/0x90 [nvme_core]
        """, words: "nvme_command_effects: BUG: KFENCE: use-after-free read"),
    Message(
      testDescription: "KFENCE of Linux 5.15, where the kernel names the task",
      log: "[ 1920.140696][  T150] BUG: KFENCE: use-after-free read in cdns3_gadget_giveback+0x134/0x2c0 [cdns3]",
      words: "cdns3_gadget_giveback: BUG: KFENCE: use-after-free read"),
    Message(
      testDescription: "KASAN of Linux 5.11",
      log: """
        [   20.000001] BUG: KASAN: use-after-free in l2cap_send_cmd+0x78d/0x810
        [   20.000002] Read of size 1 at addr ffff8880042c2264 by task kworker/3:2/80
        """, words: "l2cap_send_cmd: BUG: KASAN: use-after-free"),
    Message(
      testDescription: "UBSAN of Linux 5.11",
      log: """
        [   26.135532] UBSAN: array-index-out-of-bounds in drivers/net/wireless/realtek/rtw88/phy.c:1661:35
        [   26.135538] index 5 is out of range for type 'u8 [5]'
        """, words: "drivers/net/wireless/realtek/rtw88/phy.c:1661: UBSAN: array-index-out-of-bounds"),
    Message(
      testDescription: "Linux 5.19, a check of its own", log: "[ 1304.723346] kernel BUG at fs/btrfs/extent_io.c:2350!",
      words: "fs/btrfs/extent_io.c:2350: kernel BUG"),
    Message(
      testDescription: "SLUB of Linux 5.17: who freed the object is the place",
      log: """
        [   30.000001] BUG kmalloc-4k (Not tainted): Poison overwritten
        [   30.000002] Allocated in amdgpu_driver_open_kms+0x9d/0x360 [amdgpu] age=44 cpu=0 pid=2343
        [   30.000003]  __slab_alloc.isra.0+0x4f/0x90
        [   30.000004] Freed in amdgpu_driver_postclose_kms+0x3e9/0x550 [amdgpu] age=22 cpu=1 pid=2485
        [   30.000005]  kfree+0x4a2/0x580
        """, words: "amdgpu_driver_postclose_kms: BUG kmalloc-4k: Poison overwritten"),
    Message(
      testDescription: "Linux 5.13, a task that is blocked: who waits is the place",
      log: """
        [10359910.034733] INFO: task ThreadPoolForeg:1181536 blocked for more than 120 seconds.
        [10359910.034762]       Tainted: P           OE     5.13.0-7614-generic #14~1631647151~20.04~930e87c-Ubuntu
        [10359910.034778] Call Trace:
        [10359910.034793]  __schedule+0x2ee/0x900
        [10359910.034813]  schedule+0x4f/0xc0
        [10359910.034816]  rwsem_down_write_slowpath+0x232/0x5f0
        [10359910.034828]  down_write+0x41/0x50
        [10359910.034834]  path_openat+0x278/0xc80
        """, words: "path_openat: a task is blocked"),
    Message(
      testDescription: "A program of Linux 3.0 that is ended",
      log: "[ 8724.076133] accounts-daemon[3720]: segfault at 2993 ip 00007f2d98068af0 sp 00007fffaa6987e8 error 4"
        + " in libdbus-1.so.3.5.8[7f2d98046000+42000]",
      words: "libdbus-1.so.3.5.8+0x22af0: accounts-daemon is ended by a fault of memory"),
    Message(
      testDescription: "A program of Linux 6.12 that is ended",
      log: "[    0.019294] test_pool_shutd[46]: segfault at 108 ip 00005623b43e7412 sp 00007f519b832ea0 error 6"
        + " in test_pool_shutdown[1412,5623b43e7000+1000] likely on CPU 0 (core 0, socket 0)",
      words: "test_pool_shutdown+0x412: test_pool_shutd is ended by a fault of memory"),
  ]

  @Test("The place and the words of a message are found", arguments: messages)
  func found(_ message: Message) throws {
    let found = KernelLog("looking for peers\n" + message.log).complaints
    equal(found.map(\.words), [message.words])
  }

  @Test("Messages are found in their order, each place once")
  func several() {
    let log = Self.messages.map(\.log).joined(separator: "\n")
    equal(KernelLog(log + "\n" + log).complaints.map(\.words), Self.messages.map(\.words))
  }

  @Test(
    "What a program says, and what the kernel says of packets, is no complaint",
    arguments: [
      "", "WARNING: CPU: 0 PID: 1 at net/bluetooth/hci_conn.c:622 f+0x1/0x2", "[host] BUG: KASAN: x in f+0x1/0x2",
      "[   12.3] WARNING: CPU: 0", "[   12.345678] Bluetooth: hci0: unexpected SMP command 0x04 from ef:78:ac:d3:3f:01",
      "[   12.345678] Bluetooth: Unexpected continuation frame (len 88)", "[   12.345678] INFO: task", "[   12.345678]",
      "[   12.345678] UBSAN: ", "[   12.345678] kernel BUG at", "[   12.345678] x[1]: segfault at 1 in x[",
    ])
  func none(log: String) { expect(KernelLog(log).complaints.isEmpty) }

  @Test("Every prefix of a message is read without a trap")
  func prefixes() {
    for message in Self.messages {
      for length in 0..<message.log.count {
        expect(KernelLog(String(message.log.prefix(length))).complaints.count < 2)
      }
    }
  }
}
