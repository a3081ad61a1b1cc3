// libpq (Debian's libpq-dev), PostgreSQL's client library. Header only: this package has no C source.
#include <libpq-fe.h>
