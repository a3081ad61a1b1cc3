import Base
import HTTPWire
import StrictJSON
import Testing

/// A scripted user with BankID, at a stage that plays Idura; and the client that waits for the user.
struct BankIDWalk {
    /// What the authorization endpoint returns instead of a page.
    struct Launch {
        let universalLink: String
        let customFileHandlerURL: String
        let cancel: String
        let complete: String
        let poll: String?
    }

    let stage: Stage

    static let sameDevice: [String: String?] = [
        "acr_values": "urn:grn:authn:se:bankid:same-device", "login_hint": "appswitch:ios", "response_mode": "json",
        "prompt": "login",
    ]

    func launch(_ changes: [String: String?] = [:]) async throws -> Launch {
        let request = self.stage.request(Self.sameDevice.merging(changes) { $1 })
        let answer = try await self.stage.walk.open(request)
        try #require(answer.status == 200)
        let json = try JSON(parsing: answer.body)
        return Launch(
            universalLink: try #require(json["launchLinks"]?["universalLink"]?.string),
            customFileHandlerURL: try #require(json["launchLinks"]?["customFileHandlerUrl"]?.string),
            cancel: try #require(json["cancelUrl"]?.string), complete: try #require(json["completeUrl"]?.string),
            poll: json["pollUrl"]?.string)
    }

    func get(_ url: String) async throws -> RawClient.Answer {
        try await self.stage.http.get(String(url.dropFirst(self.stage.issuer.count)))
    }

    /// Opens the app by a link that would open it on a phone.
    func open(_ link: String) async throws -> RawClient.Answer {
        try await self.get(try #require(self.stage.provider.bankIDAppURL(forLaunchLink: link)))
    }

    /// Presses a button in the app.
    func press(
        _ decision: String, on page: RawClient.Answer, person: String = "freja", fault: String = ""
    ) async throws -> RawClient.Answer {
        let form = try #require(HTMLForm.forms(in: page.text).first)
        let fields =
            form.fields + [Parameter("decision", decision), Parameter("person", person), Parameter("fault", fault)]
        return try await self.stage.http.post(form.action, form: fields)
    }

    func decide(_ link: String, _ decision: String = "approve", person: String = "freja", fault: String = "")
        async throws
    {
        _ = try await self.press(decision, on: try await self.open(link), person: person, fault: fault)
    }

    /// Returns the authorization response behind `completeUrl`.
    func location(_ launch: Launch) async throws -> Walk.Arrival {
        let answer = try await self.get(launch.complete)
        let location = try #require(try JSON(parsing: answer.body)["location"]?.string)
        let mark = try #require(location.firstIndex(of: "?"))
        let query = try FormBody.parse(String(location[location.index(after: mark)...]))
        return Walk.Arrival(
            uri: String(location[..<mark]), parameters: query, response: answer
        )
    }
}
