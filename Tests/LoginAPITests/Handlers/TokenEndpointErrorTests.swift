import HTTPWire
import Sessions
import Testing

@testable import LoginAPI

/// Tests the errors of OAuth: RFC 6749 §5.2, a closed list, and nothing that a caller sent.
@Suite struct TokenEndpointErrorTests {
    @Test(arguments: TokenEndpointError.Code.allCases)
    func `every error says what to do`(_ code: TokenEndpointError.Code) {
        let response = TokenEndpointError(code).response()
        #expect(response.status == code.status)
        #expect(response.fields[.contentType] == "application/json")
        #expect(response.fields[.cacheControl] == "no-store")
        #expect(response.json["error"]?.string == code.rawValue)
        let text = response.json["error_description"]?.string ?? ""
        #expect(text.hasSuffix(".") && text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
        #expect((response.fields[.retryAfter] != nil) == (code.status == .serviceUnavailable))
    }

    static let refusals: [(SessionError, String, String)] = [
        (.notAllowed, "403 session_not_allowed", "400 invalid_grant"),
        (.keyRequired, "401 dpop_proof_invalid", "400 invalid_grant"),
        (.attestationRequired, "403 attestation_required", "400 invalid_grant"),
        (.attestationRefused(.revoked), "403 attestation_invalid", "400 invalid_grant"),
        (.otherPerson, "409 session_key_in_use", "400 invalid_grant"),
        (.ended, "410 session_ended", "400 invalid_grant"), (.unknown, "404 session_unknown", "400 invalid_grant"),
        (.pinRequired(id: nil), "401 insufficient_user_authentication", "400 pin_required"),
        (.wrongPIN(triesLeft: 3), "403 wrong_pin", "400 wrong_pin"),
        (.locked, "401 insufficient_user_authentication", "400 insufficient_user_authentication"),
        (.staleNonce, "401 dpop_nonce_required", "400 use_dpop_nonce"),
        (.tooLateForPIN, "403 pin_too_late", "400 invalid_grant"),
        (.malformedPIN, "422 pin_malformed", "400 invalid_grant"),
        (.storeUnavailable, "503 store_unavailable", "503 temporarily_unavailable"),
    ]

    @Test(arguments: refusals) func `every refusal has its problem and its OAuth error`(
        _ refusal: SessionError, _ problem: String, _ error: String
    ) {
        #expect(Problem(session: refusal).response(requestID: "r").sessionBrief == problem)
        #expect(TokenEndpointError(session: refusal).response().sessionBrief == error)
    }

    @Test(arguments: DPoPError.allCases) func `every rule of proofs has its number`(_ rule: DPoPError) {
        let (problem, error) = (Problem(proof: rule).code, TokenEndpointError(proof: rule).code)
        switch rule {
        case .missing: #expect(problem == .dpopProofRequired && error == .invalidDPoPProof)
        case .nonce: #expect(problem == .dpopNonceRequired && error == .useDPoPNonce)
        default: #expect(problem == .dpopProofInvalid && error == .invalidDPoPProof)
        }
    }

    @Test func `the reason of an attestation is told`() {
        let response = Problem(session: .attestationRefused(.wrongChallenge)).response(requestID: "r")
        #expect(response.json["reason"] == "wrong_challenge")
        #expect(Problem(session: .attestationRequired).response(requestID: "r").json["reason"] == nil)
    }

    @Test func `the number of tries left is told`() {
        #expect(Problem(session: .wrongPIN(triesLeft: 3)).response(requestID: "r").json["tries_left"] == 3)
        #expect(TokenEndpointError(session: .wrongPIN(triesLeft: 0)).response().json["tries_left"] == 0)
    }
}
