import Base
import OpenIDConnect
import StrictJSON

/// Signaturgruppen's Nets eID Broker: MitID and others behind one issuer (`kind: signaturgruppen`).
///
/// How it differs (sources: its documentation, and recordings of it):
/// - `idp_values` selects the e-ID; settings for the e-ID are a JSON text, `idp_params`. Sending that for any reason
///   replaces the app switch of the broker's own settings, so we include the switch every time.
/// - The MitID app returns to `app_switch_url` without any parameter. That says nothing about the result: the response
///   comes through the browser, before or after.
/// - Errors come without `iss`, although its metadata promises it: with `issuer_in_response: auto` only a response with
///   a code must keep the promise.
/// - The ID token has no name. The userinfo has one, and every value in it is a string.
/// - `error_description` says what happened, as a code from a list: `mitid_user_aborted`, `mitid_timeout`.
/// - `language` supports da, en and kl.
/// - `loa` is the level of assurance, `aal` and `ial` are the levels of its parts, as URIs of NSIS; `idp` is the e-ID.
package struct Signaturgruppen: BrokerKind {
    package typealias Options = SignaturgruppenOptions

    package static let name = "signaturgruppen"
    package static let summary = "the Nets eID Broker with MitID"
    package static let portal: String? = "https://admin.netseidbroker.dk"
    package static let flows = [Provider.Flow.ciba]

    private static let languages: Set<String> = ["da", "en", "kl"]

    /// A request that is signed or pushed may name any `app_switch_url`. One in a browser's URL may only name a
    /// registered one.
    private let takesAnyLink: Bool

    package init(takesAnyLink: Bool) { self.takesAnyLink = takesAnyLink }

    package init(_ values: some OptionValues) {
        self.init(takesAnyLink: values.choice("request_style") != Client.RequestStyle.plain)
    }

    package func parameters(for provider: Provider, _ context: AuthorizationContext) -> [Parameter] {
        let options = Self.options(of: provider)
        var parameters: [Parameter] = []
        if !options.idpValues.isEmpty {
            parameters.append(Parameter("idp_values", options.idpValues.joined(separator: " ")))
        }
        let mitID = self.mitID(options, context)
        if !mitID.isEmpty {
            let text = JSON.object(["mitid": .object(mitID)]).encoded()
            parameters.append(Parameter("idp_params", String(decoding: text, as: UTF8.self)))
        }
        let languages = context.languages.map { $0.prefix { $0 != "-" }.lowercased() }
        if let language = languages.first(where: Self.languages.contains) {
            parameters.append(Parameter("language", language))
        }
        return parameters
    }

    /// With the switch, the system and the URL are required.
    private func mitID(_ options: Options, _ context: AuthorizationContext) -> JSON.Object {
        var members: JSON.Object = [:]
        if context.switchesApps, let platform = context.platform, platform != .web,
            let url = self.takesAnyLink ? context.switchURL ?? context.returnURL : context.returnURL
        {
            members["enable_app_switch"] = true
            members["app_switch_os"] = .string(platform.rawValue)
            members["app_switch_url"] = .string(url)
        }
        if let text = options.referenceText { members["reference_text"] = .string(Base64.encode(Array(text.utf8))) }
        return members
    }

    package var claimNames: ClaimNames {
        var names = ClaimNames()
        names.name = "mitid.identity_name"
        names.birthDate = "mitid.date_of_birth"
        names.assurance = "loa"
        return names
    }

    package func failure(of error: OAuthError) -> BrokerError {
        guard let word = error.description, Self.isWord(word) else {
            return BrokerError(Cancellation.isOne(error) ? .cancelled : .refused, .oauth(error.word))
        }
        let own = ErrorWord(word, listed: Self.words)
        let cause = BrokerError.Cause.oauth(error.word, own: own)
        if word.contains("timeout") { return BrokerError(.expired, cause) }
        let isCancelled = word.contains("abort") || word.contains("declined")
        return BrokerError(isCancelled ? .cancelled : .refused, cause)
    }

    /// The codes that its documentation and its recordings have.
    private static let words: Set<String> = [
        "declined_user_consent", "mitid_core_client_error", "mitid_core_client_error_user_abort",
        "mitid_erhverv.no_identities", "mitid_timeout", "mitid_user_aborted", "no_ctx", "user_aborted",
    ]

    /// Returns whether it is a code, and not a sentence that could name a user.
    private static func isWord(_ text: String) -> Bool {
        text.utf8.count <= 64
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
    }

    /// Checks the broker's own terms: the e-ID must be one that we requested, and each level at least the minimum.
    package func check(_ idToken: IDToken, for provider: Provider) throws(BrokerError) {
        let options = Self.options(of: provider)
        let levels: [(BrokerError.Word, Assurance)] = [
            (.aal, options.minimumAuthenticationAssurance), (.ial, options.minimumIdentityAssurance),
        ]
        for (claim, minimum) in levels where minimum > .none {
            let level = idToken.claims[claim.rawValue]?.string.flatMap { Assurance(contextClass: $0) } ?? .none
            guard level >= minimum else { throw BrokerError(.assuranceTooLow, claim) }
        }
        guard !options.idpValues.isEmpty else { return }
        guard let idp = idToken.claims["idp"]?.string, options.idpValues.contains(where: { identical($0, idp) }) else {
            throw BrokerError(.invalidToken, .idTokenIDP)
        }
    }

    /// Its errors do not keep the promise.
    package var promisedIssuer: IssuerPolicy { .promisedOnSuccess }

    package func grantType(of flow: Provider.Flow) -> String {
        flow == .ciba ? "urn:openid:params:grant-type:ciba" : "authorization_code"
    }

    package func returnLink(redirectsToApp: Bool) -> ReturnLink? {
        ReturnLink(name: "app_switch_url", needsEntry: !self.takesAnyLink)
    }

    /// Its ID tokens always have the claim.
    package var sendsAuthTimeOnRequest: Bool { false }
}
