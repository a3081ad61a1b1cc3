// libpq (Debian's libpq-dev), which speaks PostgreSQL's protocol. Header only: there is no C source in this package.
#include <libpq-fe.h>
