// Typed by hand after androidx.browser 1.9.0:
// https://developer.android.com/reference/androidx/browser/customtabs/CustomTabsCallback
package androidx.browser.customtabs;

public class CustomTabsCallback {
}
