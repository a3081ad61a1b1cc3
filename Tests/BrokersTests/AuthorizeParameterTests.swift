import Brokers
import Testing

/// The kind of an authorize parameter, by its name.
@Suite struct AuthorizeParameterTests {
    static let rows: [(String, AuthorizeParameter)] = [
        ("market", .plain), ("language", .plain), ("ui_hint", .plain), ("kc_idp_hint", .plain), ("display", .plain),
        ("state", .ours), ("nonce", .ours), ("idp_params", .ours), ("IDP_Values", .ours), ("requested_flow", .ours),
        ("acr_values", .ours), ("acr-values", .ours), ("user_code", .ours), ("authorization_details", .ours),
        ("redirect_uri", .link), ("Redirect_Uri", .link), ("redirect.uri", .link), ("app_callback_uri", .link),
        ("resume_uri", .link), ("request_uri", .link), ("app_switch_url", .link), ("post_logout_redirect_uri", .link),
        ("callback", .link), ("returnUrl", .link), ("return_to", .link), ("web_origin", .link),
        ("login_hint", .person), ("LOGIN_HINT", .person), ("login_hint_token", .person), ("id_token_hint", .person),
        ("uuid_hint", .person), ("cpr_hint", .person), ("cpr", .person), ("sub", .person), ("phone_number", .person),
        ("redirect_uri[]", .malformed), ("a b", .malformed), ("", .malformed), ("x%5F", .malformed), ("é", .malformed),
    ]

    @Test(arguments: rows) func `a parameter is known by its name`(_ name: String, _ kind: AuthorizeParameter) {
        #expect(AuthorizeParameter.kind(of: name) == kind)
    }
}
