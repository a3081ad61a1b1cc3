import Base
import OpenIDConnect
import StrictJSON

/// Responses of the token endpoint and of the endpoint for pushed requests: what was read can be used as it is.
///
/// The first byte selects status and content type, the rest is the body.
enum TokenAnswerTarget {
    private static let statuses = [200, 201, 400, 401, 500]
    private static let contentTypes = ["application/json", "application/json; charset=utf-8", "text/html"]

    static func judge(_ input: [UInt8]) throws(Violation) -> Verdict {
        let choice = Int(input.first ?? 0)
        let status = self.statuses[choice % self.statuses.count]
        let contentType = self.contentTypes[choice / self.statuses.count % self.contentTypes.count]
        let response = ProviderResponse(status: status, contentType: contentType, body: Array(input.dropFirst()))
        let isTokens = try self.takesTokens(response)
        let isReference = try self.takesReference(response)
        return isTokens || isReference ? .accepted : .refused
    }

    private static func takesTokens(_ response: ProviderResponse) throws(Violation) -> Bool {
        let tokens: TokenResponse
        do throws(TokenResponseError) {
            tokens = try TokenResponse.validate(response)
        } catch {
            if case .refused(let refusal) = error { try self.check(refusal, of: response) }
            return false
        }
        try require(response.status == 200, "tokens of another status")
        try require(!tokens.idToken.isEmpty, "an ID token without a byte")
        try self.checkStored(tokens)
        guard let accessToken = (try? tokens.bearerToken())?.exposed else { return true }
        let isToken = !accessToken.isEmpty && accessToken.allSatisfy { (0x21...0x7E).contains($0) }
        try require(isToken, "an access token that cannot be sent")
        let members = (try? JSON(parsing: response.body))?.object
        try require(members?["token_type"]?.string?.lowercased() == "bearer", "a token of another type")
        return true
    }

    /// What is stored reads like the response, and has no access token if none is needed.
    private static func checkStored(_ tokens: TokenResponse) throws(Violation) {
        guard let whole = try? TokenResponse(tokens.stored(withAccessToken: true)),
            let part = try? TokenResponse(tokens.stored(withAccessToken: false))
        else { throw Violation("what was stored is not read") }
        try require(
            identical(whole.idToken, tokens.idToken) && identical(part.idToken, tokens.idToken), "another token")
        try require(whole.accessToken == tokens.accessToken, "another access token")
        try require(part.accessToken == nil, "an access token is stored in vain")
        try require((part.accessTokenHashes == nil) == (tokens.accessToken == nil), "at_hash cannot be checked")
        try require((try? whole.bearerToken()) == (try? tokens.bearerToken()), "it is used otherwise")
    }

    private static func takesReference(_ response: ProviderResponse) throws(Violation) -> Bool {
        let pushed: PushedAuthorization
        do throws(ProviderResponseError) {
            pushed = try PushedAuthorization.validate(response)
        } catch {
            try self.check(error, of: response)
            return false
        }
        try require(response.status == 201, "a reference of another status")
        try require(pushed.requestURI.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a reference with a blank")
        try require(pushed.expiresIn > 0 && pushed.expiresIn < 1_000_000_000_000, "a reference that is none")
        return true
    }

    private static func check(
        _ refusal: ProviderResponseError, of response: ProviderResponse
    ) throws(Violation) {
        guard case .oauth(let word) = refusal else { return }
        guard let error = response.refusal, error.word == word else {
            throw Violation("a code that is not the response's")
        }
        // Some providers send an error with a success status.
        try require([200, 201, 400, 401].contains(response.status), "an error of another status")
        try CleanText.check(error)
    }
}
