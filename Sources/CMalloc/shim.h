// What glibc offers beyond malloc and free, which Swift's Glibc module leaves out. Header only: there is no C source in
// this package.
#if defined(__linux__)
#include <malloc.h>
#endif
