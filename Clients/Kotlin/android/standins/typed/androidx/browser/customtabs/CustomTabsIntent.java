// Typed by hand after androidx.browser 1.9.0:
// https://developer.android.com/reference/androidx/browser/customtabs/CustomTabsIntent
package androidx.browser.customtabs;

import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public final class CustomTabsIntent {
    public static final int SHARE_STATE_OFF = 2;
    public final @NotNull Intent intent;

    private CustomTabsIntent(@NotNull Intent intent) { this.intent = intent; }

    public void launchUrl(@NotNull Context context, @NotNull Uri url) { throw standin.Hidden.called(); }

    public static final class Builder {
        public Builder() { }

        public Builder(@Nullable CustomTabsSession session) { }

        public @NotNull CustomTabsIntent build() { throw standin.Hidden.called(); }

        public @NotNull Builder setEphemeralBrowsingEnabled(boolean enabled) { throw standin.Hidden.called(); }

        public @NotNull Builder setShareState(int shareState) { throw standin.Hidden.called(); }

        public @NotNull Builder setUrlBarHidingEnabled(boolean enabled) { throw standin.Hidden.called(); }
    }
}
