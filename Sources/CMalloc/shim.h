// glibc's functions beyond malloc and free, which Swift's Glibc module leaves out.
// Header only: this package has no C source.
#if defined(__linux__)
#include <malloc.h>
#endif
