import Base
import HTTPWire

/// What the browser takes back to the relying party: a code or an error (RFC 6749 §4.1.2, RFC 9207).
struct SandboxAuthorizationResponse: Sendable {
    let address: ReturnAddress
    /// In the order in which they are sent.
    private(set) var parameters: [Parameter]
    /// The page sends the response twice, as browsers of impatient users do.
    var isSentTwice = false
    /// The parameters are sent themselves, although a JWT was requested.
    var isPlain = false
    /// There is a second question mark after the state, as Vipps documents it.
    var isMalformed = false
    /// Replaces the redirect URI.
    var otherTarget: String?

    static func code(_ code: String, to address: ReturnAddress, issuer: String) -> Self {
        Self(address, [Parameter("code", code)], issuer)
    }

    static func error(
        _ code: OAuthErrorCode, _ description: String? = nil, to address: ReturnAddress, issuer: String
    ) -> Self {
        var parameters = [Parameter("error", code.rawValue)]
        if let description { parameters.append(Parameter("error_description", description)) }
        return Self(address, parameters, issuer)
    }

    private init(_ address: ReturnAddress, _ parameters: [Parameter], _ issuer: String) {
        self.address = address
        self.parameters = parameters
        if let state = address.state { self.parameters.append(Parameter("state", state)) }
        self.parameters.append(Parameter("iss", issuer))
    }

    var response: Response {
        self.address.mode.isForm || self.isSentTwice ? AuthorizationResponsePage(self).response : self.redirect
    }

    /// 303, so that the browser does not pass on the form that it has just sent to us (RFC 9700 §4.12).
    private var redirect: Response {
        Response(
            .seeOther,
            fields: [.location: self.location, .cacheControl: "no-store", .referrerPolicy: "no-referrer"],
            body: [])
    }

    /// The response as a URL.
    var location: String {
        let uri = self.otherTarget ?? self.address.redirectURI
        let start = uri + (uri.contains("?") ? "&" : "?")
        guard self.isMalformed, let state = self["state"] else { return start + FormBody.encode(self.parameters) }
        let rest = self.parameters.filter { $0.name != "state" }
        return start + FormBody.encode([Parameter("state", state)]) + "?" + FormBody.encode(rest)
    }
}

extension SandboxAuthorizationResponse {
    /// Returns the same response as one parameter that contains everything (JARM 2.3).
    func sealed(in jwt: String) -> Self {
        var sealed = self
        sealed.parameters = [Parameter("response", jwt)]
        return sealed
    }
}

// MARK: - Changes by faults

extension SandboxAuthorizationResponse {
    subscript(_ name: String) -> String? {
        get { self.parameters.first { $0.name == name }?.value }
        set {
            let index = self.parameters.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): self.parameters[index].value = value
            case (let index?, nil): self.parameters.remove(at: index)
            case (nil, let value?): self.parameters.append(Parameter(name, value))
            case (nil, nil): break
            }
        }
    }

    mutating func deny(_ error: OAuthErrorCode) {
        self["code"] = nil
        self.parameters.insert(Parameter("error", error.rawValue), at: 0)
    }

    mutating func duplicate(_ name: String) {
        guard let value = self[name] else { return }
        self.parameters.append(Parameter(name, value))
    }

    /// Changes one character in the middle, so that the state still looks like the relying party's own.
    mutating func alterState() {
        var characters = Array((self["state"] ?? "a-state-nobody-sent").unicodeScalars)
        guard !characters.isEmpty else { return }
        let middle = characters.count / 2
        characters[middle] = characters[middle] == "A" ? "B" : "A"
        var state = String.UnicodeScalarView()
        state.append(contentsOf: characters)
        self["state"] = String(state)
    }
}
