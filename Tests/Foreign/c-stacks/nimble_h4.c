// NimBLE's controller: H4 over TCP. NimBLE's own reader takes the packets apart.
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "nimble/hci_common.h"
#include "nimble/transport.h"
#include "nimble/transport/hci_h4.h"
#include "nimble_h4.h"
#include "os/os_mbuf.h"

static int controller = -1;
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

void h4_connect(const char *host, const char *port) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
  int reason = getaddrinfo(host, port, &hints, &found);
  if (reason) {
    fprintf(stderr, "%s:%s: %s\n", host, port, gai_strerror(reason));
    exit(3);
  }
  controller = socket(found->ai_family, found->ai_socktype, found->ai_protocol);
  if (controller < 0 || connect(controller, found->ai_addr, found->ai_addrlen) < 0) {
    fprintf(stderr, "%s:%s: %s\n", host, port, strerror(errno));
    exit(3);
  }
  freeaddrinfo(found);
  int on = 1;
  setsockopt(controller, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static int packet(uint8_t type, void *data) {
  switch (type) {
    case HCI_H4_EVT:
      return ble_transport_to_hs_evt(data);
    case HCI_H4_ACL:
      return ble_transport_to_hs_acl(data);
    default:
      return -1;
  }
}

static void *reader(void *unused) {
  (void)unused;
  static uint8_t buffer[2048];
  struct hci_h4_sm framer;
  hci_h4_sm_init(&framer, &hci_h4_allocs_from_ll, packet);
  ssize_t count;
  while ((count = read(controller, buffer, sizeof buffer)) > 0) {
    for (int at = 0; at < count;) {
      int taken = hci_h4_sm_rx(&framer, buffer + at, (uint16_t)(count - at));
      if (taken > 0) {
        at += taken;
      } else {
        usleep(1000);  // no buffer is free until the host has read some
      }
    }
  }
  fprintf(stderr, "the controller is gone\n");
  exit(4);
}

static int send_packet(uint8_t type, const void *data, size_t size) {
  uint8_t octets[1 + 4 + 1024];
  if (size + 1 > sizeof octets) return BLE_ERR_MEM_CAPACITY;
  octets[0] = type;
  memcpy(octets + 1, data, size);
  pthread_mutex_lock(&writing);
  ssize_t written = send(controller, octets, size + 1, MSG_NOSIGNAL);
  pthread_mutex_unlock(&writing);
  return written == (ssize_t)size + 1 ? 0 : BLE_ERR_HW_FAIL;
}

int ble_transport_to_ll_cmd_impl(void *buffer) {
  const uint8_t *octets = buffer;
  int result = send_packet(HCI_H4_CMD, octets, 3u + octets[2]);
  ble_transport_free(buffer);
  return result;
}

static int send_chain(uint8_t type, struct os_mbuf *chain) {
  uint8_t octets[1024];
  uint16_t size = OS_MBUF_PKTLEN(chain);
  int result = size <= sizeof octets ? os_mbuf_copydata(chain, 0, size, octets) : BLE_ERR_MEM_CAPACITY;
  if (result == 0) result = send_packet(type, octets, size);
  os_mbuf_free_chain(chain);
  return result;
}

int ble_transport_to_ll_acl_impl(struct os_mbuf *chain) { return send_chain(HCI_H4_ACL, chain); }
int ble_transport_to_ll_iso_impl(struct os_mbuf *chain) { return send_chain(HCI_H4_ISO, chain); }

void ble_transport_ll_init(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, reader, NULL) != 0) abort();
}
