import HTTPWire

/// The page of the app's session. The phone's script fills it and shows the parts that apply.
struct PhoneSessionPage: Sendable {
    let sessions: SandboxPhone.Sessions
    /// The page of a completed login, from which a session may begin.
    let login: String?
    let tabs: BenchTabs

    var response: Response {
        let body: Markup = """
            <p class="badge">Sandbox</p>
            <h1 id="top" tabindex="-1">A session</h1>
            <p id="no-script">This page needs JavaScript, because the session's key is in the browser.</p>
            <p id="said" class="said" role="status"></p>
            <div id="own" data-app="\(self.sessions.app)" data-server="\(self.sessions.server)" \
            data-api="\(self.sessions.api ?? "")" data-login="\(self.login ?? "")">
            \(Self.beginning)
            \(self.again)
            \(Self.locked)
            \(Self.open)
            \(Self.pin)
            \(Self.api)
            \(Self.thieves)
            \(Self.phones)
            \(Self.phone)
            </div>
            <details><summary>The last requests, and what their proofs sign</summary>
            <ol id="sent" reversed></ol>
            </details>
            <form method="get" action="/"><button>Another login</button></form>
            """
        return PhonePage(title: "A session", phone: body, tabs: self.tabs, hasSessions: true).response
    }

    private static let beginning: Markup = """
        <section id="start" hidden>
        <p>The login has completed. The app asks the server for a session with the key of this phone.</p>
        \(button("begin", "Begin the session", isMain: true))
        </section>
        <section id="none" hidden>
        <p>This phone has no session. Log in with <em>Sandbox bank</em> first.</p>
        </section>
        """

    private var again: Markup {
        """
        <section id="again" hidden>
        <form method="post" action="/login">
        <input type="hidden" name="app" value="\(self.sessions.app)">
        <input type="hidden" name="platform" value="ios">
        <input type="hidden" name="jkt" value="" data-app="\(self.sessions.app)">
        <button class="approve" id="again-provider" name="provider" value="">Log in with the e-ID again</button>
        </form>
        </section>
        """
    }

    private static let locked: Markup = """
        <section id="locked" hidden>
        <h2>Locked</h2>
        <form data-press="unlock">
        \(input("unlock-pin", "pin", "PIN"))
        <div class="buttons"><button class="approve">Unlock</button></div>
        </form>
        </section>
        """

    private static let open: Markup = """
        <section id="open" hidden>
        <dl id="facts"></dl>
        <div class="buttons">
        <div id="renewing">\(button("renew", "Renew the access token"))</div>
        <div id="locking">\(button("lock", "Lock the app"))</div>
        </div>
        <details><summary>What the access token says</summary><pre id="claims"></pre></details>
        </section>
        """

    private static let pin: Markup = """
        <section id="pin-part" hidden>
        <details id="pin-fold"><summary>PIN</summary>
        <form data-press="pin">
        <div id="old-pin">
        \(input("old", "old", "Old PIN (needed once the e-ID login is 15 minutes old)", isRequired: false))
        </div>
        \(input("new", "pin", "New PIN, six digits or more"))
        <div class="buttons"><button class="approve">Set the PIN</button></div>
        </form>
        </details>
        </section>
        """

    private static let api: Markup = """
        <section id="api-part" hidden>
        <h2>Your API</h2>
        <div class="buttons">
        \(button("account", "Show my account"))
        \(button("pay", "Pay, which needs a fresh e-ID login"))
        </div>
        </section>
        """

    private static let thieves: Markup = """
        <section id="thieves" hidden>
        <h2>Thieves</h2>
        <p>Be the thief, and see what it is worth.</p>
        <div class="buttons">
        \(button("token", "Steal the access token"))
        <div id="thief-refresh">\(button("refresh", "Steal the refresh token"))</div>
        </div>
        <div id="thief-pin">
        <div class="buttons">
        \(button("storage", "Copy the phone's storage, and try PINs"))
        \(button("guess", "Steal the phone, and guess the PIN"))
        </div>
        <dl id="loot"></dl>
        </div>
        </section>
        """

    private static let phones: Markup = """
        <section id="phones" hidden>
        <details><summary>The phones of this person</summary>
        <ul id="list"></ul>
        <div class="buttons">
        \(button("list", "Show my phones"))
        \(button("everywhere", "Sign out everywhere"))
        </div>
        </details>
        </section>
        """

    private static let phone: Markup = """
        <section id="this-phone" hidden>
        <details><summary>This phone</summary>
        <div class="buttons">
        \(button("leave", "Sign out"))
        \(button("fresh", "Become a new phone, with a new key"))
        </div>
        </details>
        </section>
        """

    private static func button(_ press: String, _ label: String, isMain: Bool = false) -> Markup {
        let look: Markup = isMain ? " class=\"approve\"" : ""
        return "<button type=\"button\" data-press=\"\(press)\"\(look)>\(label)</button>"
    }

    private static func input(_ id: String, _ name: String, _ label: String, isRequired: Bool = true) -> Markup {
        """
        <label for="\(id)">\(label)</label>
        <input id="\(id)" name="\(name)" type="password" inputmode="numeric" pattern="[0-9]{6,}" \
        title="Six digits or more" autocomplete="off"\(isRequired ? " required" as Markup : "")>
        """
    }
}
