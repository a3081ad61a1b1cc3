import EndToEndSupport
import HTTPWire
import StrictJSON

/// Does what the script in glewlwyd's login page does: it calls a REST API, and continues at the URL in the page's
/// query.
struct LoginScript {
    struct Call {
        let method: String
        let url: String
        let body: JSON
    }

    private let server: String
    private let fields: [String: String]

    static func isOf(_ url: String) -> Bool { url.contains("/login.html?") }

    init(of url: String) throws {
        let parts = url.split(separator: "/login.html?", maxSplits: 1)
        guard parts.count == 2 else { throw TestClient.Failure(description: "no login page: \(url)") }
        self.server = String(parts[0])
        self.fields = Dictionary(try FormBody.parse(parts[1]).map { ($0.name, $0.value) }) { _, last in last }
    }

    /// The calls that log the user in and grant the client its scope.
    func calls(name: String, password: String) -> [Call] {
        [
            Call(
                method: "POST", url: "\(self.server)/api/auth/",
                body: ["username": .string(name), "password": .string(password)]),
            Call(
                method: "PUT", url: "\(self.server)/api/auth/grant/\(self.fields["client_id"] ?? "")",
                body: ["scope": .string(self.fields["scope"] ?? "")]),
        ]
    }

    var goOn: String { "\(self.fields["callback_url"] ?? "")&g_continue" }
}
