/* Resets its controller, sleeps an hour of the room's time, asks for the address, and leaves. */
#include "lockstep.h"

#include <stdio.h>
#include <stdlib.h>

static void print(void *context, const uint8_t *packet, size_t length) {
  (void)context;
  for (size_t i = 0; i < length; i++) printf("%02X ", packet[i]);
  printf("\n");
}

int main(int count, char **arguments) {
  static const uint8_t reset[] = {0x01, 0x03, 0x0C, 0x00}, address[] = {0x01, 0x09, 0x10, 0x00};
  struct lockstep host;
  if (count != 2) return fprintf(stderr, "usage: sleeper PORT\n"), 64;
  if (lockstep_open(&host, (uint16_t)atoi(arguments[1]), 0, print, NULL) || lockstep_send(&host, reset, sizeof reset)
      || lockstep_wait(&host, LOCKSTEP_NEVER, print, NULL)
      || lockstep_wait(&host, host.now + 3600ULL * 1000000000, print, NULL)
      || lockstep_send(&host, address, sizeof address) || lockstep_wait(&host, LOCKSTEP_NEVER, print, NULL)) {
    return fprintf(stderr, "%s\n", host.error), 1;
  }
  printf("%llu ns\n", (unsigned long long)host.now);
  lockstep_close(&host);
  return 0;
}
