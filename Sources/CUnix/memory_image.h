#ifndef MEMORY_IMAGE_H
#define MEMORY_IMAGE_H

/// Remembers what all private memory of this process holds, except the stack of the caller.
/// From now on a page is copied when it is written to for the first time. 0 when there is no room, or the system is not
/// one where memory can be put back.
int image_take(void);
/// Whether a fault was such a first write, which may go on now.
int image_fault(void *address);
/// Puts back every page that has been written to since, and the end of the heap.
void image_restore(void);

#endif
