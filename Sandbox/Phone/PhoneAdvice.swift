/// What an app should do next, in the words of the five rules.
enum PhoneAdvice {
    static func text(for login: PhoneLogin) -> String {
        if login.isFinal { return self.text(forEnd: login) }
        if let interruption = login.interruption { return interruption.advice }
        if login.isRetrying { return "Repeat what got no response, with a pause in between. Nothing is lost." }
        return switch login.next {
        case .openBrowser: "Open the URL in a browser (rule 2), and long-poll meanwhile (rule 4)."
        case .openApp: "Open the e-ID’s app with the link (rule 2), and long-poll meanwhile (rule 4)."
        case .resumeBrowser: "Open the URL in the same browser, where the login continues (rule 2)."
        case .showBrowser:
            "Ask the user to go back to the browser, whose page has a button that opens the app. Send its link, unread "
                + "(rule 3)."
        case .enterCode where login.triesLeft != nil:
            "Say that the code was wrong, and how many tries are left: tries_left. The page still shows the right one."
        case .enterCode: "Ask the user for the six digits on the browser’s page, and send them as code."
        case .wait: "Show that the login goes on, and long-poll (rule 4)."
        }
    }

    private static func text(forEnd login: PhoneLogin) -> String {
        if login.isAcknowledged { return "Nothing. The login is over." }
        switch login.status {
        case "completed":
            return "Send the assertion to your own API, which verifies it. Store what you need, and then DELETE the "
                + "login (rule 5)."
        case "cancelled": return "Go back to the buttons. The user knows what happened, so an error message is wrong."
        case "expired": return "Offer the same button again."
        default:
            return login.isRetryable
                ? "Say that it did not work, and offer the same button again: reason.retryable is true."
                : "Say that it did not work, and show the reference for your support. The user may start again, as the "
                    + "browser’s page says; offer other e‑IDs first, because reason.retryable is false: the same one will "
                    + "probably fail until somebody mends it."
        }
    }
}
