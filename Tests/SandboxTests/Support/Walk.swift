import Base
import HTTPWire
import Testing

/// A scripted user with a browser: opens the authorize page, decides, and brings the response back.
struct Walk {
    /// What arrived at the redirect URI.
    struct Arrival {
        let uri: String
        let parameters: [Parameter]
        /// The response that told the browser to go there.
        let response: RawClient.Answer

        subscript(_ name: String) -> String? { self.parameters.first { $0.name == name }?.value }

        func values(_ name: String) -> [String] { self.parameters.filter { $0.name == name }.map(\.value) }
    }

    let client: RawClient

    /// `cookies` are those of the browser, as a field.
    func open(_ parameters: [Parameter], cookies: [String] = []) async throws -> RawClient.Answer {
        try await self.client.get("/authorize?" + FormBody.encode(parameters), fields: cookies)
    }

    /// Sends the page's form, with the page's cookies or those of another browser.
    func decide(
        _ page: RawClient.Answer, _ decision: String = "approve", person: String = "freja", fault: String = "",
        more: [Parameter] = [], cookies: [String]? = nil
    ) async throws -> RawClient.Answer {
        let login = try #require(HTMLForm.forms(in: page.text).first?.fields.first { $0.name == "login" }?.value)
        let form = [
            Parameter("login", login), Parameter("person", person), Parameter("fault", fault),
            Parameter("decision", decision),
        ]
        return try await self.client.post("/decision", form: form + more, fields: cookies ?? page.cookies)
    }

    /// Runs a login from the authorize request to the redirect URI.
    func login(
        _ parameters: [Parameter], _ decision: String = "approve", person: String = "freja",
        fault: String = ""
    ) async throws -> Arrival {
        let page = try await self.open(parameters)
        try #require(page.status == 200)
        return try Self.arrival(try await self.decide(page, decision, person: person, fault: fault))
    }

    static func arrival(_ response: RawClient.Answer) throws -> Arrival {
        guard response.status == 303 else {
            let form = try #require(HTMLForm.forms(in: response.text).last)
            return Arrival(uri: form.action, parameters: form.fields, response: response)
        }
        let location = try #require(response["location"])
        let mark = try #require(location.lastIndex(of: "?"))
        let parameters = try FormBody.parse(String(location[location.index(after: mark)...]))

        return Arrival(uri: String(location[..<mark]), parameters: parameters, response: response)
    }
}
