/// The page on which a person picks who to be, approves or cancels, and may ask for a fault. It needs no script.
import HTTPWire

struct AuthorizePage: Sendable {
    let ask: AuthorizationAsk
    /// The name under which the request waits.
    let page: String
    /// The link by which the e-ID's app would come back to ours.
    let eIDAppReturn: String?

    var response: Response {
        PageResponse(
            title: "Sandbox login", body: self.body, formTargets: ["'self'"] + self.ask.address.formTargets
        ).response
    }

    private var body: Markup {
        """
        <p class="badge">Sandbox</p>
        <h1>Who are you today?</h1>
        <p><strong>\(self.ask.client.clientID)</strong> asks you to log in. Nobody here is real.</p>
        <form method="post" action="/decision">
        <input type="hidden" name="login" value="\(self.page)">
        <fieldset>
        <legend>Test person</legend>
        \(SandboxIdentity.all.map(self.choice))
        </fieldset>
        <details>
        <summary>Let something go wrong</summary>
        <label for="fault">Fault</label>
        <select id="fault" name="fault">
        <option value="" selected>None</option>
        \(Self.menu)
        </select>
        </details>
        <div class="buttons">
        <button class="approve" name="decision" value="approve">Approve</button>
        <button name="decision" value="cancel">Cancel</button>
        </div>
        </form>
        \(self.eIDApp)
        <details>
        <summary>What was asked for</summary>
        <dl>
        \(self.facts)
        </dl>
        </details>
        """
    }

    private var eIDApp: Markup {
        guard let url = self.eIDAppReturn else { return "" }
        return "<p><a href=\"\(url)\">Come back from the e-ID's app</a></p>"
    }

    private func choice(_ person: SandboxIdentity) -> Markup {
        let chosen = SandboxIdentity.named(self.ask.loginHint ?? "") ?? SandboxIdentity.all.first
        let mark: Markup = person.id == chosen?.id ? " checked" : ""
        return """
            <label class="person"><input type="radio" name="person" value="\(person.id)"\(mark)>
            <span>\(person.name)<small>\(person.country), born \(person.birthDate)</small></span></label>

            """
    }

    /// Built once; it is the same on every page.
    private static let menu: [Markup] = {
        var places: [(name: String, options: [Markup])] = []
        for fault in SandboxFault.all where !fault.standsBeforeLogins {
            let option: Markup = "<option value=\"\(fault.name)\">\(fault.title)</option>\n"
            if let index = places.firstIndex(where: { $0.name == fault.effect.place }) {
                places[index].options.append(option)
            } else {
                places.append((fault.effect.place, [option]))
            }
        }
        return places.map { "<optgroup label=\"\($0.name)\">\n\($0.options)</optgroup>\n" }
    }()

    private var facts: [Markup] {
        let facts = [
            ("Scope", self.ask.scope.joined(separator: " ")),
            ("Prompt", self.ask.prompt.joined(separator: " ")),
            ("Authenticated at most so long ago", self.ask.maxAge.map { "\($0) seconds" } ?? ""),
            ("Assurance", self.ask.contextClasses.joined(separator: " ")),
            ("Languages", self.ask.locales.joined(separator: " ")),
            ("Answer by", self.ask.address.mode.rawValue),
            ("Answer to", self.ask.address.redirectURI),
        ]
        return facts.filter { !$0.1.isEmpty }.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>\n" }
    }
}
