// A target of C needs a file.
#include "os.h"
