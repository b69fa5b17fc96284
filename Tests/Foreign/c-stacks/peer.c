#include "peer.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *events;

void peer_begin(void) {
  events = fdopen(dup(STDOUT_FILENO), "w");
  if (!events || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) abort();
  setvbuf(stdout, NULL, _IOLBF, 0);
}

void peer_say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  pthread_mutex_lock(&lock);
  fputc('{', events);
  vfprintf(events, format, arguments);
  fputs("}\n", events);
  fflush(events);
  pthread_mutex_unlock(&lock);
  va_end(arguments);
}

void peer_say_value(const char *event, int status, const uint8_t *value, size_t size) {
  char digits[2 * PEER_ATT_MTU + 1] = "";
  for (size_t index = 0; index < size && index < PEER_ATT_MTU; index++) {
    sprintf(digits + 2 * index, "%02x", value[index]);
  }
  peer_say("\"event\":\"%s\",\"status\":%d,\"value\":\"%s\"", event, status, digits);
}

void peer_fill(uint8_t *value, size_t size, uint32_t number) {
  for (size_t index = 0; index < size; index++) {
    value[index] = index < 4 ? (uint8_t)(number >> (8 * index)) : (uint8_t)(number * 31 + index * 7);
  }
}

static struct {
  unsigned values, wrong;
  unsigned long octets;
} tally;

void peer_received(const uint8_t *value, size_t size) {
  uint8_t meant[PEER_ATT_MTU];
  peer_fill(meant, size < sizeof meant ? size : sizeof meant, tally.values);
  if (size > sizeof meant || memcmp(meant, value, size) != 0) tally.wrong++;
  tally.values++;
  tally.octets += size;
}

// Says how many values arrived, how many were not the next of the stream, and begins again.
static void say_tally(void) {
  peer_say("\"event\":\"tally\",\"values\":%u,\"wrong\":%u,\"octets\":%lu", tally.values, tally.wrong, tally.octets);
  memset(&tally, 0, sizeof tally);
}

bool peer_is_named(const uint8_t *payload, size_t size, const char *name) {
  size_t wanted = strlen(name);
  for (size_t at = 0; at + 1 < size && payload[at] != 0; at += payload[at] + 1u) {
    size_t length = payload[at] - 1u;
    if (at + 2 + length > size) return false;
    bool is_name = payload[at + 1] == 0x08 || payload[at + 1] == 0x09;
    if (is_name && length >= wanted && memcmp(payload + at + 2, name, wanted) == 0) return true;
  }
  return false;
}

static size_t octets_of(const char *digits, uint8_t *value, size_t room) {
  size_t size = 0;
  unsigned octet;
  while (size < room && sscanf(digits + 2 * size, "%2x", &octet) == 1) value[size++] = (uint8_t)octet;
  return size;
}

static void command(const char *name, int count, char **words) {
  unsigned numbers[4] = {0};
  for (int index = 0; index < count && index < 4; index++) numbers[index] = (unsigned)strtoul(words[index], NULL, 10);
  if (!strcmp(name, "advertise") && count == 1) {
    stack_advertise(words[0]);
  } else if (!strcmp(name, "connect") && count == 1) {
    stack_connect(words[0]);
  } else if (!strcmp(name, "mtu")) {
    stack_exchange_mtu();
  } else if (!strcmp(name, "discover")) {
    stack_discover();
  } else if (!strcmp(name, "read") && count == 1) {
    stack_read((uint16_t)numbers[0]);
  } else if (!strcmp(name, "write") && count == 2) {
    uint8_t value[PEER_MOST_OCTETS];
    size_t size = octets_of(words[1], value, sizeof value);
    stack_write((uint16_t)numbers[0], value, size);
  } else if (!strcmp(name, "pour") && count == 3 && numbers[2] <= PEER_MOST_OCTETS) {
    stack_pour((uint16_t)numbers[0], numbers[1], numbers[2]);
  } else if (!strcmp(name, "notify") && count == 2 && numbers[1] <= PEER_MOST_OCTETS) {
    stack_notify(numbers[0], numbers[1]);
  } else if (!strcmp(name, "pair")) {
    stack_pair();
  } else if (!strcmp(name, "update") && count == 4) {
    stack_update(numbers[0], numbers[1], numbers[2], numbers[3]);
  } else if (!strcmp(name, "phy") && count == 1) {
    stack_use_phy((uint8_t)numbers[0]);
  } else if (!strcmp(name, "disconnect")) {
    stack_disconnect();
  } else if (!strcmp(name, "tally")) {
    say_tally();
  } else if (!strcmp(name, "quit")) {
    exit(0);
  } else {
    peer_say("\"event\":\"refused\",\"command\":\"%s\"", name);
  }
}

void peer_take(const char *octets, size_t count) {
  static char line[1024];
  static size_t length;
  for (size_t index = 0; index < count; index++) {
    if (octets[index] != '\n') {
      if (length + 1 < sizeof line) line[length++] = octets[index];
      continue;
    }
    line[length] = 0;
    length = 0;
    char *words[6], *rest = NULL;
    int number = 0;
    for (char *word = strtok_r(line, " ", &rest); word && number < 6; word = strtok_r(NULL, " ", &rest)) {
      words[number++] = word;
    }
    if (number > 0) command(words[0], number - 1, words + 1);
  }
}
