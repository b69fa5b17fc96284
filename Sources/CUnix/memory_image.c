#define _GNU_SOURCE
#include "memory_image.h"

#ifdef __linux__

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The kernel writes into the restartable sequence of a thread, wherever that is.
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

enum { most_regions = 512, most_text = 1 << 18, rseq_room = 32 };

struct region {
  uintptr_t start;
  uintptr_t end;
  /// The number of its first page among all that are remembered.
  size_t first;
};

/// All of it is in memory that is not remembered itself.
struct image {
  struct region regions[most_regions];
  size_t region_count;
  size_t page_count;
  uintptr_t heap_end;
  size_t page_size;
  size_t dirty_count;
  char text[most_text];
  /// The pages that have been written to, in this order, and what they held.
  uintptr_t *dirty;
  char *copies;
  /// One octet for each page: whether it has been written to.
  char *is_dirty;
};

static struct image *image;

static void *room(size_t octets) {
  void *memory = mmap(NULL, octets, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static uintptr_t hexadecimal(const char **text) {
  uintptr_t value = 0;
  for (;; (*text)++) {
    char letter = **text;
    if (letter >= '0' && letter <= '9') value = value << 4 | (uintptr_t)(letter - '0');
    else if (letter >= 'a' && letter <= 'f') value = value << 4 | (uintptr_t)(letter - 'a' + 10);
    else return value;
  }
}

static int add(uintptr_t start, uintptr_t end) {
  if (image->region_count == most_regions) return 0;
  image->regions[image->region_count++] = (struct region){start, end, image->page_count};
  image->page_count += (end - start) / image->page_size;
  return 1;
}

/// Reads the list of mappings without touching the heap.
static int read_regions(void) {
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  size_t length = 0;
  ssize_t count;
  while (length < most_text - 1 && (count = read(file, image->text + length, most_text - 1 - length)) > 0)
    length += (size_t)count;
  close(file);
  if (length == most_text - 1) return 0;
  image->text[length] = 0;
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  for (const char *line = image->text; *line;) {
    uintptr_t start = hexadecimal(&line);
    line++;
    uintptr_t end = hexadecimal(&line);
    const char *rights = line + 1;
    int counts = rights[0] == 'r' && rights[1] == 'w' && rights[3] == 'p' && !(start <= here && here < end);
    if (counts && !add(start, end)) return 0;
    while (*line && *line != '\n') line++;
    if (*line) line++;
  }
  return 1;
}

/// The number of a page; negative when it is not remembered.
static ssize_t number_of(uintptr_t page) {
  size_t low = 0, high = image->region_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (image->regions[middle].end <= page) low = middle + 1;
    else high = middle;
  }
  if (low == image->region_count || page < image->regions[low].start) return -1;
  return (ssize_t)(image->regions[low].first + (page - image->regions[low].start) / image->page_size);
}

static int note_write(uintptr_t page) {
  ssize_t number = number_of(page);
  if (number < 0 || image->is_dirty[number]) return 0;
  image->is_dirty[number] = 1;
  memcpy(image->copies + image->dirty_count * image->page_size, (void *)page, image->page_size);
  image->dirty[image->dirty_count++] = page;
  return mprotect((void *)page, image->page_size, PROT_READ | PROT_WRITE) == 0;
}

/// Finds out what there is to remember, and room for it.
static int make_room(void) {
  image->page_size = (size_t)sysconf(_SC_PAGESIZE);
  if (!read_regions()) return 0;
  image->dirty = room(image->page_count * sizeof *image->dirty);
  image->copies = room(image->page_count * image->page_size);
  image->is_dirty = room(image->page_count);
  return image->dirty && image->copies && image->is_dirty;
}

int image_take(void) {
  image = room(sizeof *image);
  if (image && !make_room()) image = NULL;
  if (!image) return 0;
  image->heap_end = (uintptr_t)syscall(SYS_brk, 0);
  // The thread's own block: the kernel writes there, and can take no fault.
  uintptr_t thread = (uintptr_t)__builtin_thread_pointer();
  uintptr_t mask = ~(uintptr_t)(image->page_size - 1);
  for (uintptr_t page = thread & mask; page <= ((thread + 4095) & mask); page += image->page_size) note_write(page);
  for (size_t index = 0; index < image->region_count; index++) {
    struct region *region = &image->regions[index];
    for (uintptr_t page = region->start; page < region->end;) {
      uintptr_t end = page;
      while (end < region->end && !image->is_dirty[number_of(end)]) end += image->page_size;
      if (end > page && mprotect((void *)page, end - page, PROT_READ) != 0) return 0;
      page = end + image->page_size;
    }
  }
  return 1;
}

int image_fault(void *address) {
  if (!image) return 0;
  return note_write((uintptr_t)address & ~(uintptr_t)(image->page_size - 1));
}

void image_restore(void) {
  char sequence[rseq_room];
  char *thread = __builtin_thread_pointer();
  int has_sequence = &__rseq_size && __rseq_size > 0;
  if (has_sequence) memcpy(sequence, thread + __rseq_offset, sizeof sequence);
  for (size_t index = 0; index < image->dirty_count; index++)
    memcpy((void *)image->dirty[index], image->copies + index * image->page_size, image->page_size);
  if (has_sequence) memcpy(thread + __rseq_offset, sequence, sizeof sequence);
  syscall(SYS_brk, image->heap_end);
}

#else

int image_take(void) { return 0; }
int image_fault(void *address) { return 0; }
void image_restore(void) {}

#endif
