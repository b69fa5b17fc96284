// What the program asks of glibc and versions before 2.36 do not have: Packaging/old-glibc links it in.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

// glibc 2.36: random octets, from the kernel.
void arc4random_buf(void *buffer, size_t size) {
  unsigned char *next = buffer;
  while (size > 0) {
    ssize_t count = getrandom(next, size > 256 ? 256 : size, 0);
    if (count < 0) {
      if (errno == EINTR) continue;
      abort();
    }
    next += count;
    size -= (size_t)count;
  }
}

uint32_t arc4random(void) {
  uint32_t value;
  arc4random_buf(&value, sizeof value);
  return value;
}

uint32_t arc4random_uniform(uint32_t bound) {
  if (bound < 2) return 0;
  // As many values as are a multiple of the bound; of the others none is taken.
  uint32_t least = -bound % bound, value;
  do value = arc4random();
  while (value < least);
  return value % bound;
}

// glibc 2.35: the object that has an address, and its unwinding tables.
struct search {
  uintptr_t address;
  struct dl_find_object *result;
  int is_found;
};

static int look(struct dl_phdr_info *info, size_t size, void *data) {
  struct search *search = data;
  uintptr_t low = UINTPTR_MAX, high = 0;
  void *tables = NULL;
  int is_here = 0;
  (void)size;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
    uintptr_t begin = info->dlpi_addr + segment->p_vaddr, end = begin + segment->p_memsz;
    if (segment->p_type == PT_LOAD) {
      if (begin < low) low = begin;
      if (end > high) high = end;
      if (search->address >= begin && search->address < end) is_here = 1;
    } else if (segment->p_type == PT_GNU_EH_FRAME) {
      tables = (void *)begin;
    }
  }
  if (!is_here) return 0;
  search->result->dlfo_map_start = (void *)low;
  search->result->dlfo_map_end = (void *)high;
  search->result->dlfo_eh_frame = tables;
  search->is_found = tables != NULL;
  return 1;
}

int _dl_find_object(void *address, struct dl_find_object *result) {
  struct search search = {(uintptr_t)address, result, 0};
  dl_iterate_phdr(look, &search);
  return search.is_found ? 0 : -1;
}

// glibc 2.32: a hint for reference counts; 0 is always right.
char __libc_single_threaded = 0;

// glibc 2.29: the program starts no other one in another folder.
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path) {
  (void)actions;
  (void)path;
  return ENOSYS;
}
