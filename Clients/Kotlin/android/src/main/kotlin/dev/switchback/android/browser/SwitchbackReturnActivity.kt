package dev.switchback.android

import android.app.Activity
import android.os.Bundle

/**
 * Takes the links that return to the app, hands them in and closes itself, so that the tab below it is in front again.
 *
 * Any app can start it. It reads the link and nothing else of the Intent, and starts nothing; a link that begins with
 * no return prefix of a stored login changes nothing.
 */
public class SwitchbackReturnActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        // An activity that is made anew has the Intent of its first start.
        if (savedInstanceState == null) {
            ReturnLinks.link(intent?.action, intent?.dataString)?.let { ReturnedLinks.take(it) }
        }
        finish()
    }
}
