// What a build says about itself: the commit, from `swift build -Xcc -DSWITCHBACK_COMMIT=<commit>`.
// Header only: this package has no C source.
#define SWITCHBACK_TEXT_OF(word) #word
#define SWITCHBACK_TEXT(word) SWITCHBACK_TEXT_OF(word)

/// Returns the commit, or an empty text if the build did not say it.
static inline const char *switchback_commit(void) {
#ifdef SWITCHBACK_COMMIT
    return SWITCHBACK_TEXT(SWITCHBACK_COMMIT);
#else
    return "";
#endif
}
