/// The form that the pages of all e-IDs have: who to be, what is to go wrong, and what to do.
import Base

struct DecisionForm: Sendable {
    let action: String
    /// What says which login it is about.
    let hidden: [Parameter]
    let menu: FaultMenu
    /// Who is chosen at first.
    var person: SandboxIdentity? = nil
    /// Beside approving and cancelling.
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
            <legend>Test person</legend>
            \(SandboxIdentity.all.map(self.choice))
            </fieldset>
            <details>
            <summary>Let something go wrong</summary>
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

    private func choice(_ person: SandboxIdentity) -> Markup {
        let chosen = self.person ?? SandboxIdentity.all.first
        let mark: Markup = person.id == chosen?.id ? " checked" : ""
        return """
            <label class="person"><input type="radio" name="person" value="\(person.id)"\(mark)>
            <span>\(person.name)<small>\(person.country), born \(person.birthDate)</small></span></label>

            """
    }
}
