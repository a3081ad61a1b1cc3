// Typed by hand after androidx.browser 1.9.0:
// https://developer.android.com/reference/androidx/browser/customtabs/CustomTabsSession
package androidx.browser.customtabs;

public final class CustomTabsSession {
    CustomTabsSession() { }
}
