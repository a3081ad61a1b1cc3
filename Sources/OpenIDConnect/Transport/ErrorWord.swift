/// The word for a provider's error code in the log, in metrics and in events. It is the only way there.
///
/// The code comes from outside: a browser can write anything into it, and some providers put free text there. So a code
/// that no specification has is kept only if it cannot be a sentence, a name with blanks, or a number of a person.
package struct ErrorWord: Equatable, Sendable {
    /// A registered code, the provider's own code verbatim, or `other`.
    package let text: String
    /// Whether the code is registered or in the list of the broker's kind, so that there are few of them.
    package let isListed: Bool

    private static let longest = 40
    /// A CPR number has ten digits, a date of birth six.
    private static let mostDigitsInARow = 5

    package init(_ code: String, listed listedCodes: Set<String> = []) {
        self.isListed = Self.registered.contains(code) || listedCodes.contains(code)
        self.text = self.isListed || Self.isCode(code) ? code : "other"
    }

    private static func isCode(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard 1...self.longest ~= bytes.count, let first = bytes.first, first.isLetter else { return false }
        var digits = 0
        for byte in bytes {
            if byte.isDigit {
                digits += 1
                guard digits <= self.mostDigitsInARow else { return false }
            } else if byte.isLetter {
                digits = 0
            } else {
                // They part the digits of a number for its readers: 010190-1234.
                guard byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") else {
                    return false
                }
            }
        }
        return true
    }

    /// The codes of the specifications: RFC 6749 §4.1.2.1 and §5.2, RFC 6750 §3.1, Core 3.1.2.6, CIBA Core 11 and 13,
    /// RFC 8628 §3.5, RFC 8707 §2, RFC 9101 §10, RFC 9126 §2.3, RFC 9396 §5, RFC 9449 §12.2, RFC 9470 §3, and Unmet
    /// Authentication Requirements 1.0.
    package static let registered: Set<String> = [
        "access_denied", "invalid_request", "invalid_scope", "server_error", "temporarily_unavailable",
        "unauthorized_client", "unsupported_response_type",
        "invalid_client", "invalid_grant", "unsupported_grant_type",
        "insufficient_scope", "invalid_token",
        "account_selection_required", "consent_required", "interaction_required", "invalid_request_object",
        "invalid_request_uri", "login_required", "registration_not_supported", "request_not_supported",
        "request_uri_not_supported",
        "authorization_pending", "expired_login_hint_token", "expired_token", "invalid_binding_message",
        "invalid_user_code", "missing_user_code", "slow_down", "transaction_failed", "unknown_user_id",
        "invalid_target", "invalid_authorization_details", "invalid_dpop_proof", "use_dpop_nonce",
        "insufficient_user_authentication", "unmet_authentication_requirements",
    ]
}
