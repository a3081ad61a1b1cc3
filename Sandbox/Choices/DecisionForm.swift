import Base

/// The form on the pages of all e-IDs: the test user, the fault, and the decision.
struct DecisionForm: Sendable {
    let action: String
    /// The fields that identify the login.
    let hidden: [Parameter]
    let menu: FaultMenu
    /// The test users to choose from are the e-ID's.
    let eID: SandboxEID
    /// The preselected test user; nil for the first.
    var person: SandboxIdentity? = nil
    /// Whether "Remember me" is ticked; nil if it is not offered.
    var remembers: Bool? = nil
    /// The buttons in addition to Approve and Cancel.
    var more: [(decision: Decision, label: String)] = []

    var markup: Markup {
        let hidden = self.hidden.map { field -> Markup in
            "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
        }
        let more = self.more.map { button -> Markup in
            "<button name=\"decision\" value=\"\(button.decision.rawValue)\">\(button.label)</button>\n"
        }
        return """
            <form method="post" action="\(self.action)">
            \(hidden)<fieldset>
            <legend>Test user</legend>
            \(self.eID.users.map(self.choice))
            </fieldset>
            \(self.rememberMe)<details>
            <summary>Simulate a fault</summary>
            <label for="fault">Fault</label>
            <select id="fault" name="fault">
            <option value="" selected>None</option>
            \(self.menu.options)
            </select>
            </details>
            <div class="buttons">
            <button class="approve" name="decision" value="approve">Approve</button>
            <button name="decision" value="cancel">Cancel</button>
            \(more)\(self.fail)</div>
            </form>
            """
    }

    /// One press for a reader who wants to see a login fail.
    private var fail: Markup {
        guard let fault = SandboxFault.example(of: self.eID) else { return "" }
        return """
            <button name="decision" value="\(PageChoice.fail)">Make this login fail<small>\(fault.effect.place), \
            \(fault.title) → \(fault.end)</small></button>

            """
    }

    private var rememberMe: Markup {
        guard let remembers else { return "" }
        let mark = Self.mark(remembers)
        return """
            <label class="person"><input type="checkbox" name="\(PageChoice.remember)" value="yes"\(mark)>
            <span>Remember me in this browser<small>I then pass without this page, unless the app asks for a fresh \
            login.</small></span></label>

            """
    }

    private static func mark(_ isChecked: Bool) -> Markup { isChecked ? " checked" : "" }

    private func choice(_ person: SandboxIdentity) -> Markup {
        let selectedUser = self.eID.users.first { $0.id == self.person?.id } ?? self.eID.users.first
        let mark = Self.mark(person.id == selectedUser?.id)
        return """
            <label class="person"><input type="radio" name="person" value="\(person.id)"\(mark)>
            <span>\(person.name)<small>\(person.country), born \(person.birthDate)</small></span></label>

            """
    }
}

/// What the user chose on a page: the test user, the decision and the fault.
struct PageChoice: Sendable {
    let person: SandboxIdentity
    let decision: Decision
    let fault: SandboxFault?
    /// Whether the user wants to be remembered in this browser.
    let isToBeRemembered: Bool

    /// What the button sends that makes a login fail.
    static let fail = "fail"

    /// The field of the tick.
    static let remember = "remember"

    /// Returns nil for a form that is not ours.
    init?(_ form: Parameters, at eID: SandboxEID, among decisions: Set<Decision>, of faults: [SandboxFault]) {
        let fails = form["decision"] == Self.fail
        guard let decision = fails ? .approve : form["decision"].flatMap(Decision.init), decisions.contains(decision),
            let person = form["person"].map(SandboxIdentity.named) ?? eID.users.first
        else { return nil }
        if fails {
            self.fault = SandboxFault.example(of: eID)
        } else if let name = form["fault"] {
            guard let fault = faults.first(where: { $0.names.contains(name) }) else { return nil }
            self.fault = fault
        } else {
            self.fault = nil
        }
        self.person = person
        self.decision = decision
        self.isToBeRemembered = form[Self.remember] != nil
    }
}

/// The top of an e-ID's page: a sign, that it is not the real e-ID, and who asks the user to log in.
struct EIDHeading: Sendable {
    let eID: SandboxEID
    let client: SandboxClient

    var title: String { self.eID == .sandbox ? "Who are you today?" : "Log in with \(self.eID.name)" }

    var markup: Markup {
        """
        <header>
        <span class="sign" aria-hidden="true">\(self.eID.sign)</span>
        <p class="badge">\(self.eID == .sandbox ? "Sandbox" : "Sandbox, not the real \(self.eID.name)")</p>
        </header>
        <h1>\(self.title)</h1>
        <p><strong>\(self.client.name)</strong> asks you to log in. All users here are fictional.</p>
        """
    }
}
