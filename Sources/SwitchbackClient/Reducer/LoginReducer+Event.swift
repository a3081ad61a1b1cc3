/// What happens to a login, and what is to be done about it.
import Foundation

extension LoginReducer {
    /// What happens.
    public enum Event: Sendable {
        /// The person pressed the button.
        case began
        /// The app was started anew, and this login was in the store.
        case resumed
        /// `storeFirst` came to nothing.
        case storeFailed
        /// The answer to the request with this number.
        case answered(Int, HTTPResponse)
        /// There is no answer to the request with this number, and there will be none.
        case unanswered(Int)
        /// It is as late as `wake` said.
        case timeCame
        /// The app was opened by a link.
        case linkOpened(String)
        /// The person typed the page's code.
        case codeEntered(String)
        /// The app is in front.
        case cameToForeground
        /// The app is not in front any more.
        case wentToBackground
        /// The phone says that the browser was closed. It also says so of minimised tabs and app switches.
        case browserClosed
        /// The person pressed Cancel in the app.
        case cancelled
        /// The person wants to be sent to the browser again.
        case openedAgain
        /// The app wants to be told the end again, with a fresh assertion.
        case endWanted
        /// The app has what it needs of the result.
        case resultStored
        /// The app wants to forget the login, whatever becomes of it.
        case givenUp
    }

    /// What is to be done, in this order.
    public enum Effect: Equatable, Sendable {
        /// Store it. If that fails, leave the rest undone and say `storeFailed`.
        case storeFirst(OpenLogin)
        /// Store it. If that fails, go on all the same.
        case store(OpenLogin)
        /// Remove it from the store.
        case forget(OpenLogin.ID)
        /// Send this, and say `answered` or `unanswered` with its number.
        case send(Int, HTTPRequest)
        /// The answer to this one is not wanted any more.
        case abandon(Int)
        /// Say `timeCame` then; only the last of these counts.
        case wake(at: Moment)
        /// Tell the app.
        case present(LoginState)
    }
}
