/* A host in virtual time: the other side of `babbench hci serve --clock lockstep` (ADR 0042).
 *
 * A host sends H4 packets while it has the turn, and ends the turn with lockstep_wait, which returns with the next
 * turn.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <stddef.h>
#include <stdint.h>

/* No instant: the host waits for a packet only. */
#define LOCKSTEP_NEVER UINT64_MAX

struct lockstep {
  int socket;
  /* Nanoseconds since time began, at the present turn. */
  uint64_t now;
  /* Why a call has failed; a sentence. */
  char error[256];
};

/* Gets each packet of a turn, indicator first, before `now` is that of the turn: keep the packet until the call that
 * reads the turn has returned, and answer it then. */
typedef void lockstep_packet(void *context, const uint8_t *packet, size_t length);

/* Takes the seat of a port on this machine and waits for the first turn. Ports of one group other than 0 get their
 * turns together. 0, or -1 with `error`. */
int lockstep_open(struct lockstep *host, uint16_t port, uint32_t group, lockstep_packet *packet, void *context);

/* Sends an H4 packet, indicator first. It enters when all hosts wait. 0, or -1 with `error`. */
int lockstep_send(struct lockstep *host, const uint8_t *packet, size_t length);

/* Lets time pass until a packet has come, or until an instant. 0 with the next turn, or -1 with `error`. */
int lockstep_wait(struct lockstep *host, uint64_t until, lockstep_packet *packet, void *context);

/* Leaves the seat. */
void lockstep_close(struct lockstep *host);

#endif
