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
            \(more)</div>
            </form>
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
