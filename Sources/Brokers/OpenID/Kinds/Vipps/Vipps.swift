import Base
import OpenIDConnect

/// Vipps MobilePay Login (`kind: vipps`).
///
/// How it differs (source: its documentation):
/// - Phones switch to its app by `requested_flow`. `app_to_app`: the app returns to `app_callback_uri` with `state` and
///   `resume_uri`, where the same browser has to continue; the response then goes to the redirect URI.
///   `app_to_app_v2`: the app opens the redirect URI, which must be a link to our app, with the code. On the web,
///   `automatic_return_from_vipps_app` may end in another browser. That is no problem, because no login needs a cookie.
/// - One URI may be registered in both roles; `resume_uri` and `code` tell them apart.
/// - Some of its error links have a second `?`: `?state=…?error=unknown_error`.
/// - Credentials go into `Authorization` unencoded (`basic_encoding: raw`); its responses have no `iss`.
/// - Headers with the merchant and the system help its support.
package struct Vipps: BrokerKind {
    package static let name = "vipps"
    package static let summary = "Vipps MobilePay Login"
    package static let portal: String? = "https://portal.vippsmobilepay.com"
    package static let encodesCredentials = false
    package static let settings = [
        KindOption(
            "merchant_serial_number", .word, .optional, after: "allow_private_addresses", isRefusedElsewhere: false,
            "For kind vipps: the number of the sales unit. The server sends it as Merchant-Serial-Number, which helps the support of Vipps MobilePay."
        )
    ]

    private let merchantSerialNumber: String?
    private let version: String

    /// Creates the kind. `version` is this server's.
    package init(merchantSerialNumber: String?, version: String) {
        self.merchantSerialNumber = merchantSerialNumber
        self.version = version
    }

    package init(_ values: some OptionValues) {
        self.init(merchantSerialNumber: values.text("merchant_serial_number"), version: ServerVersion.text)
    }

    package func parameters(for provider: Provider, _ context: AuthorizationContext) -> [Parameter] {
        guard context.switchesApps else { return [] }
        switch context.platform {
        case .ios, .android:
            if context.redirectsToApp {
                return [Parameter("requested_flow", "app_to_app_v2"), Parameter("final_redirect_is_app", "true")]
            }
            guard let url = context.returnURL else { return [] }
            return [Parameter("requested_flow", "app_to_app"), Parameter("app_callback_uri", url)]
        case .web: return [Parameter("requested_flow", "automatic_return_from_vipps_app")]
        case nil: return []
        }
    }

    package func fields(for purpose: ProviderRequest.Purpose) -> [Parameter] {
        guard purpose == .token || purpose == .userinfo else { return [] }
        let merchant = self.merchantSerialNumber.map { [Parameter("Merchant-Serial-Number", $0)] } ?? []
        return merchant + [
            Parameter("Vipps-System-Name", "switchback"), Parameter("Vipps-System-Version", self.version),
        ]
    }

    /// A `?` in a state starts an error that should have followed an `&`.
    package func normalized(_ parameters: [Parameter]) -> [Parameter] {
        parameters.flatMap { parameter -> [Parameter] in
            let mark = "?error="
            guard parameter.name == "state", let range = parameter.value.firstRange(of: mark) else {
                return [parameter]
            }
            return [
                Parameter("state", String(parameter.value[..<range.lowerBound])),
                Parameter("error", String(parameter.value[range.upperBound...])),
            ]
        }
    }

    package func resumeURL(in parameters: [Parameter]) -> String? {
        let values = parameters.filter { $0.name == ResponseParameters.resumeURI }.map(\.value)
        return values.count == 1 ? values[0] : nil
    }

    /// Where the app opens the redirect URI, it needs no other link.
    package func returnLink(redirectsToApp: Bool) -> ReturnLink? {
        redirectsToApp ? nil : ReturnLink(name: "app_callback_uri", needsEntry: true)
    }

    /// Its ID tokens always have the claim.
    package var sendsAuthTimeOnRequest: Bool { false }
}
