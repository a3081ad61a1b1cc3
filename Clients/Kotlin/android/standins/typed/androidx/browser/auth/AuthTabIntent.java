// Typed by hand after androidx.browser 1.9.0:
// https://developer.android.com/reference/androidx/browser/auth/AuthTabIntent
package androidx.browser.auth;

import android.content.Intent;
import android.net.Uri;
import androidx.activity.result.ActivityResultLauncher;
import org.jetbrains.annotations.NotNull;

public final class AuthTabIntent {
    public final @NotNull Intent intent;

    private AuthTabIntent(@NotNull Intent intent) { this.intent = intent; }

    public void launch(@NotNull ActivityResultLauncher<Intent> launcher, @NotNull Uri url, @NotNull String host,
            @NotNull String path) { throw standin.Hidden.called(); }

    public void launch(@NotNull ActivityResultLauncher<Intent> launcher, @NotNull Uri url, @NotNull String scheme) {
        throw standin.Hidden.called();
    }

    public static final class Builder {
        public @NotNull AuthTabIntent build() { throw standin.Hidden.called(); }

        public @NotNull Builder setEphemeralBrowsingEnabled(boolean enabled) { throw standin.Hidden.called(); }
    }
}
