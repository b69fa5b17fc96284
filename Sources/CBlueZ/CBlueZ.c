#include "CBlueZ.h"

#include <errno.h>

#if defined(__linux__)

#if !__has_include(<bluetooth/hci.h>)
#error "bluetooth/hci.h is missing: apt-get install libbluetooth-dev"
#endif

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

int cbluez_open_user_channel(int index) {
  int fd = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, BTPROTO_HCI);
  if (fd < 0) return -errno;
  struct sockaddr_hci address;
  memset(&address, 0, sizeof address);
  address.hci_family = AF_BLUETOOTH;
  address.hci_dev = (unsigned short)index;
  address.hci_channel = HCI_CHANNEL_USER;
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    int error = errno;
    close(fd);
    return -error;
  }
  return fd;
}

#else

int cbluez_open_user_channel(int index) {
  (void)index;
  return -ENOSYS;
}

#endif
