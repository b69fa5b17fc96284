#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "BlueZ.h"

#include <errno.h>

#if defined(__linux__)

#if !__has_include(<bluetooth/hci.h>)
#error "bluetooth/hci.h is missing: apt-get install libbluetooth-dev"
#endif

#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

/* Of the kernel's linux/sock_diag.h, which not every system has: the place of the drop count in SO_MEMINFO. */
enum { meminfo_drops = 8, meminfo_fields = 9 };

static int open_socket(void) {
  int fd = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
  return fd < 0 ? -errno : fd;
}

static int close_with(int fd, int error) {
  close(fd);
  return -error;
}

static int open_bound(int index, unsigned short channel) {
  int fd = open_socket();
  if (fd < 0) return fd;
  struct sockaddr_hci address;
  memset(&address, 0, sizeof address);
  address.hci_family = AF_BLUETOOTH;
  address.hci_dev = (unsigned short)index;
  address.hci_channel = channel;
  return bind(fd, (struct sockaddr *)&address, sizeof address) < 0 ? close_with(fd, errno) : fd;
}

int cbluez_open_user_channel(int index) { return open_bound(index, HCI_CHANNEL_USER); }

int cbluez_open_channel(int index, int channel) { return open_bound(index, (unsigned short)channel); }

int cbluez_stamp(int fd) {
  int on = 1;
  return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) < 0 ? -errno : 0;
}

int cbluez_drops(int fd, uint32_t *drops) {
  uint32_t fields[meminfo_fields];
  socklen_t length = sizeof fields;
  if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, fields, &length) < 0) return -errno;
  if (length < sizeof fields) return -ENOPROTOOPT;
  *drops = fields[meminfo_drops];
  return 0;
}

int cbluez_receive(int fd, uint8_t *buffer, size_t capacity, struct cbluez_message *message) {
  struct {
    uint16_t opcode, adapter, length;
  } __attribute__((packed)) header;
  struct iovec parts[2] = {{&header, sizeof header}, {buffer, capacity}};
  union {
    char octets[128];
    struct cmsghdr alignment;
  } control;
  struct msghdr call;
  ssize_t count;
  do {
    memset(&call, 0, sizeof call);
    call.msg_iov = parts;
    call.msg_iovlen = 2;
    call.msg_control = control.octets;
    call.msg_controllen = sizeof control;
    count = recvmsg(fd, &call, MSG_DONTWAIT | MSG_TRUNC);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
  if ((size_t)count < sizeof header) return -EBADMSG;
  message->opcode = btohs(header.opcode);
  message->adapter = btohs(header.adapter);
  message->original_length = (size_t)count - sizeof header;
  message->length = message->original_length < capacity ? message->original_length : capacity;
  message->nanoseconds = 0;
  for (struct cmsghdr *part = CMSG_FIRSTHDR(&call); part; part = CMSG_NXTHDR(&call, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
    struct timespec time;
    memcpy(&time, CMSG_DATA(part), sizeof time);
    message->nanoseconds = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
  }
  return 1;
}

int cbluez_list(uint16_t *indices, int capacity) {
  union {
    struct hci_dev_list_req list;
    char octets[sizeof(struct hci_dev_list_req) + HCI_MAX_DEV * sizeof(struct hci_dev_req)];
  } request;
  int fd = open_socket();
  if (fd < 0) return fd;
  memset(&request, 0, sizeof request);
  request.list.dev_num = HCI_MAX_DEV;
  if (ioctl(fd, HCIGETDEVLIST, &request) < 0) return close_with(fd, errno);
  close(fd);
  for (int at = 0; at < request.list.dev_num && at < capacity; at++) indices[at] = request.list.dev_req[at].dev_id;
  return request.list.dev_num;
}

int cbluez_describe(int index, struct cbluez_adapter *adapter) {
  struct hci_dev_info info;
  int fd = open_socket();
  if (fd < 0) return fd;
  memset(&info, 0, sizeof info);
  info.dev_id = (uint16_t)index;
  if (ioctl(fd, HCIGETDEVINFO, &info) < 0) return close_with(fd, errno);
  close(fd);
  adapter->index = info.dev_id;
  memcpy(adapter->address, info.bdaddr.b, sizeof adapter->address);
  adapter->flags = info.flags;
  adapter->bus = info.type & 0x0F;
  adapter->errors = info.stat.err_rx + info.stat.err_tx;
  return 0;
}

const char *cbluez_bus_name(int bus) {
  static const char *const names[] = {"virtual", "USB", "PCCard", "UART", "RS232", "PCI", "SDIO", "SPI", "I2C", "SMD",
                                      "VIRTIO", "IPC"};
  return bus >= 0 && bus < (int)(sizeof names / sizeof *names) ? names[bus] : "unknown";
}

#else

int cbluez_open_user_channel(int index) {
  (void)index;
  return -ENOSYS;
}
int cbluez_open_channel(int index, int channel) {
  (void)index, (void)channel;
  return -ENOSYS;
}
int cbluez_stamp(int fd) {
  (void)fd;
  return -ENOSYS;
}
int cbluez_drops(int fd, uint32_t *drops) {
  (void)fd, (void)drops;
  return -ENOSYS;
}
int cbluez_receive(int fd, uint8_t *buffer, size_t capacity, struct cbluez_message *message) {
  (void)fd, (void)buffer, (void)capacity, (void)message;
  return -ENOSYS;
}
int cbluez_list(uint16_t *indices, int capacity) {
  (void)indices, (void)capacity;
  return -ENOSYS;
}
int cbluez_describe(int index, struct cbluez_adapter *adapter) {
  (void)index, (void)adapter;
  return -ENOSYS;
}
const char *cbluez_bus_name(int bus) {
  (void)bus;
  return "unknown";
}

#endif
