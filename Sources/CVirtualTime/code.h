// Which library an instruction belongs to.
#ifndef CVT_CODE_H
#define CVT_CODE_H

enum cvt_code { CODE_EXECUTABLE, CODE_LIBC, CODE_DISPATCH, CODE_CONCURRENCY, CODES };
int cvt_code_contains(enum cvt_code code, const void *address);

#endif
