package dev.switchback.android

import android.app.Activity
import android.os.Bundle

/** Takes the links that return to the app. It shows nothing, and leaves the tab below it in front. */
public class SwitchbackReturnActivity : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        finish()
    }
}
