// Typed by hand after androidx.browser 1.9.0:
// https://developer.android.com/reference/androidx/browser/customtabs/CustomTabsClient
package androidx.browser.customtabs;

import android.content.Context;
import java.util.List;
import org.jetbrains.annotations.NotNull;
import org.jetbrains.annotations.Nullable;

public class CustomTabsClient {
    CustomTabsClient() { }

    public static boolean bindCustomTabsService(@NotNull Context context, @Nullable String packageName,
            @NotNull CustomTabsServiceConnection connection) { throw standin.Hidden.called(); }

    public static @Nullable String getPackageName(@NotNull Context context, @Nullable List<String> packages,
            boolean ignoreDefault) { throw standin.Hidden.called(); }

    public static boolean isAuthTabSupported(@NotNull Context context, @NotNull String provider) {
        throw standin.Hidden.called();
    }

    public static boolean isEphemeralBrowsingSupported(@NotNull Context context, @NotNull String provider) {
        throw standin.Hidden.called();
    }

    public boolean warmup(long flags) { throw standin.Hidden.called(); }

    public @Nullable CustomTabsSession newSession(@Nullable CustomTabsCallback callback) {
        throw standin.Hidden.called();
    }
}
