package dev.switchback.android

import android.app.Activity
import android.app.Dialog
import android.content.Context
import android.view.View
import android.view.Window
import dev.switchback.LoginHost
import dev.switchback.LoginManager
import dev.switchback.LoginState
import java.io.Closeable
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch

/**
 * Shows the screens of a host's login in a window over its activity, as long as the login needs the user: to continue,
 * to type the code, or to wait for a server that does not respond. It ends with the activity.
 *
 * @param optIn languages that few have read, such as `kl`, which the app wants all the same
 */
public class LoginScreens @JvmOverloads public constructor(
    private val activity: Activity,
    private val logins: LoginManager,
    private val host: LoginHost,
    optIn: Set<String> = emptySet(),
) : Closeable {
    private val texts = ResourceTexts(activity, optIn)
    private val scope = CoroutineScope(MainThread.dispatcher)
    private var dialog: Dialog? = null
    private var view: LoginScreenView? = null

    init {
        scope.launch { logins.current(host).collect(::show) }
        activity.window?.decorView?.addOnAttachStateChangeListener(object : View.OnAttachStateChangeListener {
            override fun onViewAttachedToWindow(v: View) {}

            override fun onViewDetachedFromWindow(v: View): Unit = close()
        })
    }

    /** Takes the window away, and shows none any more. The login goes on. */
    override fun close() {
        scope.cancel()
        hide()
    }

    private fun show(state: LoginState) {
        val screen = LoginScreen.of(LoginProgress.of(state), texts, isOpen = dialog != null)
        if (screen == null || activity.isFinishing || activity.isDestroyed) return hide()
        (view ?: open()).show(screen)
    }

    private fun open(): LoginScreenView {
        val made = LoginScreenView(activity) { action, code -> perform(logins, host, action, code) }
        val window = Dialog(activity)
        window.requestWindowFeature(Window.FEATURE_NO_TITLE)
        // The way out is the button that says so: a tap beside the window is none.
        window.setCancelable(false)
        window.setContentView(made)
        made.window = window.window
        window.show()
        dialog = window
        view = made
        return made
    }

    private fun hide() {
        dialog?.dismiss()
        dialog = null
        view = null
    }

    /** What an app needs that shows the screens itself. */
    public companion object {
        /**
         * Returns what to show of a login now, in the user's language; null if it needs no screen.
         *
         * @param isOpen whether there is a screen already: it then stays until the login is over
         */
        @JvmStatic
        @JvmOverloads
        public fun screen(
            context: Context, state: LoginState, isOpen: Boolean = false, optIn: Set<String> = emptySet(),
        ): LoginScreen? = LoginScreen.of(LoginProgress.of(state), ResourceTexts(context, optIn), isOpen)

        /** Does what a button of a screen says. */
        @JvmStatic
        public fun perform(
            logins: LoginManager, host: LoginHost, action: LoginScreen.Button.Action, code: String?,
        ) {
            when (action) {
                LoginScreen.Button.Action.SendCode -> code?.let { logins.enterCode(host, it) }
                LoginScreen.Button.Action.ContinueLogin -> logins.continueLogin(host)
                LoginScreen.Button.Action.GiveUp -> logins.cancel(host)
                else -> {}
            }
        }
    }
}
