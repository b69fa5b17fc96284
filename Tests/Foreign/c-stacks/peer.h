// What both peers share: commands come as lines of words on standard input, events go as JSON lines to standard output.
// README.md of the folder above lists them. A peer has one link at a time.
#ifndef PEER_H
#define PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Our service and its characteristics: 50A1B2C3-00nn-4000-8000-00805F9B34FB, in the order of the text.
#define PEER_UUID(number) \
  {0x50, 0xA1, 0xB2, 0xC3, 0x00, number, 0x40, 0x00, 0x80, 0x00, 0x00, 0x80, 0x5F, 0x9B, 0x34, 0xFB}
#define PEER_SERVICE 0x30
#define PEER_WORD 0x31    // may be read over an encrypted link
#define PEER_SINK 0x32    // may be written, with and without response
#define PEER_SOURCE 0x33  // notifies
#define PEER_SECRET "only for the paired"

// The largest ATT_MTU either stack is built for, and what a value of a notification or a write command may have of it.
#define PEER_ATT_MTU 256
#define PEER_MOST_OCTETS (PEER_ATT_MTU - 3)

// Keeps standard output for events: what a stack prints there goes to standard error.
void peer_begin(void);
// Prints one event: the text between the braces of a JSON object.
void peer_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Prints an event with a value in hexadecimal digits.
void peer_say_value(const char *event, int status, const uint8_t *value, size_t size);

// Takes octets of standard input, and calls the functions below for every whole line.
void peer_take(const char *octets, size_t count);

// The number-th value of a stream: both ends can compute it.
void peer_fill(uint8_t *value, size_t size, uint32_t number);
// A value that arrived, at the sink or as a notification; the command `tally` prints what became of all of them.
void peer_received(const uint8_t *value, size_t size);
// Whether an advertising or scan response payload has a name that begins like this.
bool peer_is_named(const uint8_t *payload, size_t size, const char *name);

// What a stack does. Each ends with an event.
void stack_advertise(const char *name);
void stack_connect(const char *name);
void stack_exchange_mtu(void);
void stack_discover(void);
void stack_read(uint16_t handle);
void stack_write(uint16_t handle, const uint8_t *value, size_t size);
void stack_pour(uint16_t handle, unsigned count, unsigned size);
void stack_notify(unsigned count, unsigned size);
void stack_pair(void);
void stack_update(unsigned shortest, unsigned longest, unsigned latency, unsigned timeout);
void stack_use_phy(uint8_t phys);
void stack_disconnect(void);

#endif
