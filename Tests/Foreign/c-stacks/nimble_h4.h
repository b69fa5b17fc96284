#ifndef NIMBLE_H4_H
#define NIMBLE_H4_H

// Connects to a controller before the stack begins; ends the program when there is none.
void h4_connect(const char *host, const char *port);

#endif
