#include "lockstep.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { INDICATOR = 0x54, VERSION = 1, HELLO = 0x01, WAIT = 0x02, SEATED = 0x81, TURN = 0x82, END = 0x83 };
/* The longest packet: indicator, header, and what two octets can say. */
enum { LONGEST = 5 + 0xFFFF };

static int fail(struct lockstep *host, const char *why) {
  snprintf(host->error, sizeof host->error, "%s", why);
  return -1;
}

static int write_all(struct lockstep *host, const uint8_t *octets, size_t length) {
  while (length > 0) {
    ssize_t count = send(host->socket, octets, length, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail(host, "the port has closed the connection");
    octets += count;
    length -= (size_t)count;
  }
  return 0;
}

static int read_all(struct lockstep *host, uint8_t *octets, size_t length) {
  while (length > 0) {
    ssize_t count = recv(host->socket, octets, length, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return fail(host, "the port has closed the connection");
    octets += count;
    length -= (size_t)count;
  }
  return 0;
}

/* Reads one packet or message into `octets`; its length, or -1. */
static long read_one(struct lockstep *host, uint8_t *octets) {
  if (read_all(host, octets, 1)) return -1;
  size_t header = octets[0] == INDICATOR || octets[0] == 0x04 ? 3 : octets[0] == 0x03 ? 4 : 5;
  if (octets[0] != INDICATOR && (octets[0] < 0x02 || octets[0] > 0x05)) {
    return fail(host, "the port sent octets that are no packet");
  }
  if (read_all(host, octets + 1, header - 1)) return -1;
  size_t length = header == 5 ? octets[3] | (size_t)octets[4] << 8 : octets[header - 1];
  if (octets[0] == 0x05) length &= 0x3FFF;
  if (read_all(host, octets + header, length)) return -1;
  if (octets[0] == INDICATOR && octets[1] == END) {
    snprintf(host->error, sizeof host->error, "%.*s", (int)length, (const char *)octets + 3);
    return -1;
  }
  return (long)(header + length);
}

static int read_turn(struct lockstep *host, lockstep_packet *packet, void *context) {
  uint8_t octets[LONGEST];
  for (;;) {
    long length = read_one(host, octets);
    if (length < 0) return -1;
    if (octets[0] != INDICATOR) {
      if (packet) packet(context, octets, (size_t)length);
      continue;
    }
    if (octets[1] != TURN || length != 11) return fail(host, "the port sent a message that is unknown here");
    host->now = 0;
    for (int i = 7; i >= 0; i--) host->now = host->now << 8 | octets[3 + i];
    return 0;
  }
}

int lockstep_open(struct lockstep *host, uint16_t port, uint32_t group, lockstep_packet *packet, void *context) {
  memset(host, 0, sizeof *host);
  host->socket = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons(port)};
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (host->socket < 0 || connect(host->socket, (struct sockaddr *)&place, sizeof place)) {
    return fail(host, strerror(errno));
  }
  int yes = 1;
  setsockopt(host->socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  uint8_t hello[8] = {INDICATOR, HELLO, 5, VERSION};
  for (int i = 0; i < 4; i++) hello[4 + i] = (uint8_t)(group >> 8 * i);
  if (write_all(host, hello, sizeof hello)) return -1;
  uint8_t octets[LONGEST];
  long length = read_one(host, octets);
  if (length < 0) return -1;
  if (length != 4 || octets[0] != INDICATOR || octets[1] != SEATED || octets[3] != VERSION) {
    return fail(host, "the port does not speak version 1 of the lockstep protocol");
  }
  return read_turn(host, packet, context);
}

int lockstep_send(struct lockstep *host, const uint8_t *packet, size_t length) {
  return write_all(host, packet, length);
}

int lockstep_wait(struct lockstep *host, uint64_t until, lockstep_packet *packet, void *context) {
  uint8_t message[11] = {INDICATOR, WAIT, 0};
  size_t length = 3;
  if (until != LOCKSTEP_NEVER) {
    message[2] = 8;
    for (int i = 0; i < 8; i++) message[length++] = (uint8_t)(until >> 8 * i);
  }
  if (write_all(host, message, length)) return -1;
  return read_turn(host, packet, context);
}

void lockstep_close(struct lockstep *host) {
  if (host->socket >= 0) close(host->socket);
  host->socket = -1;
}
