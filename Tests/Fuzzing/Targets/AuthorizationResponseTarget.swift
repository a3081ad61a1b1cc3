import Base
import OpenIDConnect

/// Authorization responses by query and form_post: an accepted one is ours, from our provider, and has one meaning.
///
/// The first byte selects when the issuer is required, the rest is the form.
enum AuthorizationResponseTarget {
    static func judge(_ input: [UInt8]) async throws(Violation) -> Verdict {
        let choice = Int(input.first ?? 0)
        let policy = IssuerPolicy.allCases[choice % IssuerPolicy.allCases.count]
        let promised = choice / IssuerPolicy.allCases.count % 2 == 1
        let fields = FormInput.received(input.dropFirst())
        let response: AuthorizationResponse
        do throws(VerificationError<AuthorizationResponseError>) {
            response = try await .validate(
                fields, state: Example.state, issuer: Example.issuer, issuerPolicy: policy, promised: promised)
        } catch {
            let isOurs = fields.contains { $0.name == "state" && identical($0.value, Example.state) }
            try require((error == .rule(.state)) != isOurs, "refused for its state, or not")
            return .refused
        }
        try self.check(response, of: fields)
        let isGranted = fields.contains { $0.name == "code" }
        let mustName =
            switch policy {
            case .require: true
            case .successOnly: isGranted
            case .promised: promised
            case .promisedOnSuccess: promised && isGranted
            case .optional: false
            }
        try require(!mustName || fields.contains { $0.name == "iss" }, "accepted without an issuer")
        return .accepted
    }

    /// Checks the parameters of an accepted response, signed or not.
    static func check(_ answer: AuthorizationResponse, of fields: [Parameter]) throws(Violation) {
        func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
        let decisive = fields.map(\.name).filter { AuthorizationResponse.decisive.contains($0) }
        try require(Set(decisive).count == decisive.count, "accepted with a repeated parameter")
        try require(values("state").map(Secret.init) == [Secret(Example.state)], "accepted with another state")
        try require(values("iss").allSatisfy { identical($0, Example.issuer) }, "accepted of another issuer")
        try require(values("response").isEmpty, "accepted beside a signed response")
        try require(values("code").count + values("error").count == 1, "accepted with neither or both")
        switch answer {
        case .granted(let code):
            let text = values("code").first ?? ""
            try require(code == Secret(text) && (1...4096).contains(code.count), "another code than came")
            try require(code.exposed.allSatisfy { (0x20...0x7E).contains($0) }, "a code of other characters")
        case .denied(let error): try CleanText.check(error)
        }
    }
}
