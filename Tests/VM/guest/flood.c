/* flood COUNT [BURST MICROSECONDS]: an adapter whose controller says COUNT things as fast as the kernel takes them, or
 * in bursts with pauses between; prints its name, and waits to be killed when all is said.
 *
 * They are vendor events of different lengths, numbered in their first four octets; half a second behind the last one
 * comes one more with the text "flood ends". The adapter is a raw one, opened by its user channel, so that the kernel
 * does nothing with them but show them to monitors.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int open_user_channel(int index) {
  struct sockaddr_hci address = {.hci_family = AF_BLUETOOTH, .hci_dev = (unsigned short)index,
                                 .hci_channel = HCI_CHANNEL_USER};
  for (int tries = 0; tries < 100; tries++) {
    int fd = socket(AF_BLUETOOTH, SOCK_RAW, BTPROTO_HCI);
    if (fd < 0) fail("socket");
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
    close(fd);
    usleep(100000);
  }
  fail("user channel");
  return -1;
}

static void say(int fd, const unsigned char *packet, size_t length) {
  if (write(fd, packet, length) != (ssize_t)length) fail("write");
}

int main(int count, char **arguments) {
  long packets = count > 1 ? atol(arguments[1]) : 1000;
  long burst = count > 3 ? atol(arguments[2]) : 0;
  long pause_time = count > 3 ? atol(arguments[3]) : 0;
  int fd = open("/dev/vhci", O_RDWR);
  if (fd < 0) fail("/dev/vhci");
  const unsigned char create[] = {0xFF, 0x80};
  say(fd, create, sizeof create);
  unsigned char answer[4];
  if (read(fd, answer, sizeof answer) != sizeof answer) fail("answer");
  int index = answer[2] | answer[3] << 8;
  open_user_channel(index);
  printf("hci%d\n", index);
  fflush(stdout);
  unsigned char packet[3 + 255] = {0x04, 0xFF};
  struct timespec began, ended;
  clock_gettime(CLOCK_MONOTONIC, &began);
  for (long number = 0; number < packets; number++) {
    unsigned char length = (unsigned char)(4 + number % 61);
    packet[2] = length;
    for (int octet = 0; octet < 4; octet++) packet[3 + octet] = (unsigned char)(number >> 8 * octet);
    say(fd, packet, 3u + length);
    if (burst > 0 && number % burst == burst - 1) usleep((useconds_t)pause_time);
  }
  clock_gettime(CLOCK_MONOTONIC, &ended);
  long milliseconds = (ended.tv_sec - began.tv_sec) * 1000 + (ended.tv_nsec - began.tv_nsec) / 1000000;
  usleep(500000);
  static const char end[] = "flood ends";
  packet[2] = sizeof end - 1;
  memcpy(packet + 3, end, sizeof end - 1);
  say(fd, packet, 3 + sizeof end - 1);
  printf("said in %ld ms\n", milliseconds);
  fflush(stdout);
  for (;;) pause();
}
