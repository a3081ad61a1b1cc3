// Typed by hand after androidx.browser 1.9.0:
// https://developer.android.com/reference/androidx/browser/customtabs/CustomTabsServiceConnection
package androidx.browser.customtabs;

import android.content.ComponentName;
import android.content.ServiceConnection;
import org.jetbrains.annotations.NotNull;

public abstract class CustomTabsServiceConnection implements ServiceConnection {
    @Override public final void onServiceConnected(ComponentName name, android.os.IBinder service) { }

    public abstract void onCustomTabsServiceConnected(@NotNull ComponentName name, @NotNull CustomTabsClient client);
}
