/// Code that verifies an assertion. A test keeps it the same as the code in docs/how-to/your-own-api.md, which another
/// test runs.
package struct VerifyingCode: Sendable {
    private static let library = "import " + "jwt"

    let issuer: String
    let audience: String
    let provider: String

    package init(issuer: String, audience: String, provider: String) {
        self.issuer = issuer
        self.audience = audience
        self.provider = provider
    }

    /// The code as the documentation shows it. It needs `assertion` and `nonce`.
    package var text: String {
        """
        \(Self.library)  # pip install "pyjwt[crypto]"
        key = jwt.PyJWKClient("\(self.issuer)/.well-known/jwks.json").get_signing_key_from_jwt(assertion)
        token = jwt.decode_complete(assertion, key, ["ES256"], audience="\(self.audience)", issuer="\(self.issuer)")
        login = token["payload"]
        assert token["header"]["typ"] == "login+jwt" and login["nonce"] == nonce  # the nonce that your API gave the app
        assert login["provider"] in {"\(self.provider)"}  # the providers that this API accepts
        assert login["proof"] in {"callback_link", "switch_link", "page_link", "page_code"}  # none: on any phone
        account = login["sub"]  # one for each user and broker
        """
    }

    /// A program that prints the account.
    func text(verifying assertion: String, nonce: String) -> String {
        """
        assertion = "\(assertion)"
        nonce = "\(nonce)"
        \(self.text)
        print(account)
        """
    }
}
