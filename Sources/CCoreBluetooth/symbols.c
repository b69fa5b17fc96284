// The functions of an object file with their names: what Objective-C keeps at run time, and Swift only there.
#ifdef __linux__
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CCoreBluetooth.h"
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The part of a file that a section has; NULL where it is not wholly in the file.
static const void *part(const struct cb_symbols *file, const Elf64_Shdr *section) {
  if (section->sh_offset > file->size || section->sh_size > file->size - section->sh_offset) return NULL;
  return (const char *)file->octets + section->sh_offset;
}

// Finds the table of symbols, and the names that it refers to.
static int find(struct cb_symbols *file) {
  const Elf64_Ehdr *head = file->octets;
  if (file->size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG)) return 0;
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr)) return 0;
  if (head->e_shoff > file->size || head->e_shnum > (file->size - head->e_shoff) / sizeof(Elf64_Shdr)) return 0;
  if (head->e_type == ET_EXEC) file->bias = 0;
  const Elf64_Shdr *sections = (const void *)((const char *)file->octets + head->e_shoff);
  for (int i = 0; i < head->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= head->e_shnum) continue;
    const Elf64_Shdr *names = &sections[sections[i].sh_link];
    file->table = part(file, &sections[i]);
    file->names = part(file, names);
    file->count = sections[i].sh_size / sizeof(Elf64_Sym);
    file->names_size = names->sh_size;
    // The last name has an end, so every one has.
    return file->table && file->names && file->names_size && !file->names[file->names_size - 1];
  }
  return 0;
}

int cb_symbols_open(struct cb_symbols *file, const void *address) {
  memset(file, 0, sizeof *file);
  Dl_info object, own;
  if (!dladdr(address, &object)) return 0;
  // A program may have been started by a path that leads nowhere now.
  int is_main = dladdr((const void *)getauxval(AT_ENTRY), &own) && own.dli_fbase == object.dli_fbase;
  int descriptor = open(is_main ? "/proc/self/exe" : object.dli_fname, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  struct stat state;
  if (!fstat(descriptor, &state) && state.st_size > 0) {
    void *octets = mmap(NULL, state.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (octets != MAP_FAILED) {
      file->octets = octets;
      file->size = state.st_size;
    }
  }
  close(descriptor);
  file->bias = (unsigned long)object.dli_fbase;
  if (file->octets && find(file)) return 1;
  cb_symbols_close(file);
  return 0;
}

const char *cb_symbols_next(struct cb_symbols *file, const char *prefix, const void **code) {
  size_t length = strlen(prefix);
  while (file->next < file->count) {
    const Elf64_Sym *symbol = (const Elf64_Sym *)file->table + file->next++;
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !symbol->st_value || symbol->st_name >= file->names_size) continue;
    const char *name = file->names + symbol->st_name;
    if (strncmp(name, prefix, length)) continue;
    *code = (const void *)(file->bias + symbol->st_value);
    return name;
  }
  return NULL;
}

extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, uint32_t flags);

char *cb_symbols_demangle(const char *name) { return swift_demangle(name, strlen(name), NULL, NULL, 0); }

void cb_symbols_close(struct cb_symbols *file) {
  if (file->octets) munmap((void *)file->octets, file->size);
  memset(file, 0, sizeof *file);
}
#endif
