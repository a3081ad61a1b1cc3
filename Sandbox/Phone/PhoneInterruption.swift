/// What a user can do to a login that is under way, to see that it recovers.
enum PhoneInterruption: String, CaseIterable, Sendable {
    case kill
    case offline
    case minimise
    case linkInBrowser = "link-in-browser"
    case linkOnOtherPhone = "link-on-other-phone"
    case slowBroker = "slow-broker"
    case deadBroker = "dead-broker"
    case clock

    /// The label of its button.
    var label: String {
        switch self {
        case .kill: "Kill the app"
        case .offline: "Lose the network for ten seconds"
        case .minimise: "Minimise or close the tab"
        case .linkInBrowser: "Open the link in the browser"
        case .linkOnOtherPhone: "Open the link on a second phone"
        case .slowBroker: "Make the broker slow"
        case .deadBroker: "Make the broker fail"
        case .clock: "Set the phone’s clock an hour ahead"
        }
    }

    /// What happens then.
    var effect: String {
        switch self {
        case .kill: "The system ends the app in the background. What it stored stays."
        case .offline: "No request of the app arrives, and the poll is cut off."
        case .minimise: "The app is in front again, without a link."
        case .linkInBrowser: "The next link back opens a page, and not the app."
        case .linkOnOtherPhone: "The next link back opens the app of another phone."
        case .slowBroker: "It responds to the code after a few seconds."
        case .deadBroker: "It closes the connection without a response."
        case .clock: "The app reads a time that is wrong."
        }
    }

    /// What the app should do now.
    var advice: String {
        switch self {
        case .kill:
            "Only the memory is gone. When the app starts, by itself or by a link, it reads the stored poll_secret, "
                + "reports a return without a link (rule 5) and polls at once (rule 4)."
        case .offline:
            "Keep the login, and repeat what got no response, with a pause in between. Every request can be repeated, "
                + "and a link that opened the app is sent once the network is back."
        case .minimise:
            "This is no Cancel. Report a return without a link (rule 5): it ends nothing, and next says how the user "
                + "continues."
        case .linkInBrowser:
            "Nothing yet. The page that the next link opens says how to go on. When the user is back in the app, "
                + "report a return without a link (rule 5): the code on the browser’s page then finishes the login."
        case .linkOnOtherPhone:
            "The other phone’s app finds no login for this link, and ignores it. The app here goes on polling. By rule "
                + "5 the user can type the code instead, which proves that the browser is at hand."
        case .slowBroker: "Go on polling. The status is exchanging for a while, and nobody has to do anything."
        case .deadBroker:
            "Go on polling. The login will fail as broker_unavailable, which is retryable: offer the same button again."
        case .clock:
            "Nothing. The app counts expires_in from the moment of the response, and never compares expires_at with its "
                + "own clock."
        }
    }

    /// The faults that cause it, one for each kind of broker.
    var faults: [String] {
        switch self {
        case .slowBroker: ["token-delayed", "resolver-delayed"]
        case .deadBroker: ["token-dead", "resolver-dead"]
        default: []
        }
    }
}

/// What opens when the user follows the link back to the app.
enum LinkTarget: Sendable {
    case app
    case browser
    case otherPhone
}
