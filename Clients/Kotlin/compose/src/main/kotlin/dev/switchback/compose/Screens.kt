package dev.switchback.compose

import android.graphics.drawable.Drawable
import androidx.compose.runtime.Composable
import androidx.compose.runtime.DisposableEffect
import androidx.compose.runtime.collectAsState
import androidx.compose.runtime.key
import androidx.compose.runtime.remember
import androidx.compose.ui.Modifier
import androidx.compose.ui.platform.LocalContext
import androidx.compose.ui.viewinterop.AndroidView
import dev.switchback.LoginHost
import dev.switchback.Provider
import dev.switchback.SessionClient
import dev.switchback.SessionException
import dev.switchback.android.EidButtonView
import dev.switchback.android.LoginScreen
import dev.switchback.android.LoginScreenView
import dev.switchback.android.LoginScreens
import dev.switchback.android.PinScreenView
import dev.switchback.android.Switchback
import dev.switchback.android.SystemBiometricPrompt

/**
 * Shows the screens of a host's login over the app, as long as the login needs the user. Put it once below the root.
 *
 * @param optIn languages that few have read, such as `kl`, which the app wants all the same
 */
@Composable
public fun LoginScreens(switchback: Switchback, host: LoginHost, optIn: Set<String> = emptySet()) {
    val context = LocalContext.current
    DisposableEffect(switchback, host) {
        val screens = LoginScreens(context.activity(), switchback.login, host, optIn)
        onDispose { screens.close() }
    }
}

/** Shows one screen in place, for an app that decides itself where. [LoginScreens.screen] makes the value. */
@Composable
public fun LoginScreenContent(
    screen: LoginScreen, switchback: Switchback, host: LoginHost, modifier: Modifier = Modifier,
) {
    AndroidView(
        factory = { context ->
            LoginScreenView(context) { action, code -> LoginScreens.perform(switchback.login, host, action, code) }
        },
        modifier = modifier,
        update = { it.show(screen) },
    )
}

/**
 * Asks for the PIN of the session, or for a new one, as long as its state wants one; else it shows nothing.
 *
 * @param biometrics sets up the unlock by face or finger with a new PIN, and offers it beside the PIN
 * @param failed gets the errors that the user can do nothing about here
 */
@Composable
public fun PinScreen(
    session: SessionClient, modifier: Modifier = Modifier, biometrics: SystemBiometricPrompt? = null,
    failed: (SessionException) -> Unit = {},
) {
    val state = session.state.collectAsState().value ?: return
    val context = LocalContext.current
    // A field for a new PIN must not keep what was typed into the other one.
    val view = remember(context, state.kind) { PinScreenView.create(context, state, session, biometrics, failed) }
    if (view != null) key(view) { AndroidView(factory = { view }, modifier = modifier) }
}

/**
 * A login button in the manner of e-IDs: the logo, then the name, on white. While the provider is switched off, it does
 * nothing, and says why below the name.
 *
 * @param logo what the app made of [Provider.logoUrl]; null shows the name alone
 */
@Composable
public fun EidButton(provider: Provider, onClick: () -> Unit, modifier: Modifier = Modifier, logo: Drawable? = null) {
    AndroidView(factory = { EidButtonView(it) }, modifier = modifier, update = { it.show(provider, logo, onClick) })
}
