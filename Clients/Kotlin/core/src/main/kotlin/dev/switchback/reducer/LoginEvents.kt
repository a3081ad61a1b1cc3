package dev.switchback

/** Something that happened to a login. */
internal sealed class LoginEvent {
    /** The user tapped the login button. */
    object Started : LoginEvent()

    /** The app was started again, and this login was in the store. */
    object Resumed : LoginEvent()

    /** [LoginEffect.StoreFirst] failed. */
    object StoreFailed : LoginEvent()

    /** The response to the request with this number. */
    class Responded(val number: Int, val response: HttpResponse) : LoginEvent()

    /** The request with this number got no response, and will get none. */
    class RequestFailed(val number: Int) : LoginEvent()

    /** The time of the last [LoginEffect.Wake] has come. */
    object TimerFired : LoginEvent()

    /** A link opened the app. */
    class LinkOpened(val link: String) : LoginEvent()

    /** The user typed the page's code. */
    class CodeEntered(val code: String) : LoginEvent()

    /** The app is in the foreground. */
    object EnteredForeground : LoginEvent()

    /** The app has left the foreground. */
    object EnteredBackground : LoginEvent()

    /** The phone says that the browser was closed. It also says so of minimised tabs and app switches. */
    object BrowserClosed : LoginEvent()

    /** The user tapped Cancel in the app. */
    object Cancelled : LoginEvent()

    /** The user wants to be sent to the browser or the e-ID's app again. */
    object ReopenRequested : LoginEvent()

    /** The app wants the final state again, with a fresh assertion. */
    object RefreshRequested : LoginEvent()

    /** The app has stored what it needs of the result. */
    object Acknowledged : LoginEvent()

    /** The app wants to forget the login, whatever its result. */
    object Abandoned : LoginEvent()
}

/** Something to do. All effects of an event are performed in order. */
internal sealed class LoginEffect {
    /** Store the record. If that fails, skip the other effects and report [LoginEvent.StoreFailed]. */
    class StoreFirst(val record: SavedLogin) : LoginEffect()

    /** Store the record. If that fails, go on. */
    class Store(val record: SavedLogin) : LoginEffect()

    /** Remove the record from the store. */
    class Forget(val id: String) : LoginEffect()

    /** Send this request, and report [LoginEvent.Responded] or [LoginEvent.RequestFailed] with its number. */
    class Send(val number: Int, val request: HttpRequest) : LoginEffect()

    /** Cancel the request with this number. Its response is no longer needed. */
    class Abandon(val number: Int) : LoginEffect()

    /** Report [LoginEvent.TimerFired] at this time. Only the last one counts. */
    class Wake(val at: Long) : LoginEffect()

    /** Tell the app. */
    class Present(val state: ShownState) : LoginEffect()
}
