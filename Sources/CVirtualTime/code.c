// Which library an instruction belongs to.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "code.h"
#include <link.h>
#include <stdint.h>
#include <string.h>

static const char *const names[CODES] = {"", "libc.so.6", "libdispatch.so", "libswift_Concurrency.so"};
static struct { uintptr_t first, end; } ranges[CODES];

static int find(struct dl_phdr_info *info, size_t size, void *unused) {
  const char *name = strrchr(info->dlpi_name, '/');
  name = name ? name + 1 : info->dlpi_name;
  for (int code = 0; code < CODES; code++) {
    if (strcmp(name, names[code]) || ranges[code].end) continue;
    for (int i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *part = &info->dlpi_phdr[i];
      if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
      uintptr_t first = info->dlpi_addr + part->p_vaddr, end = first + part->p_memsz;
      if (!ranges[code].end || first < ranges[code].first) ranges[code].first = first;
      if (end > ranges[code].end) ranges[code].end = end;
    }
  }
  return 0;
}

__attribute__((constructor)) static void find_all(void) { dl_iterate_phdr(find, NULL); }

int cvt_code_contains(enum cvt_code code, const void *address) {
  return (uintptr_t)address >= ranges[code].first && (uintptr_t)address < ranges[code].end;
}
