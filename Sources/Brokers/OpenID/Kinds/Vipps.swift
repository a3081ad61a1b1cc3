/// Vipps MobilePay Login (`kind: vipps`).
///
/// How it differs, from its documentation:
/// - Phones switch to its app by `requested_flow`. `app_to_app`: the app comes back to `app_callback_uri` with `state` and
///   `resume_uri`, where the same browser has to go on; the answer then comes to the redirect URI.
///   `app_to_app_v2`: the app opens the redirect URI, which must be a link to ours, with the code. On the web,
///   `automatic_return_from_vipps_app` may end in another browser, which is nothing to us: no login needs a cookie.
/// - One URI may be registered in both roles, and is told apart by `resume_uri` and `code`.
/// - Some of its error links have a second `?`: `?state=…?error=unknown_error`.
/// - Credentials go into `Authorization` as they stand (`basic_encoding: raw`); its answers have no `iss`.
/// - Headers with the merchant and the system help its support.
import Base
import OpenIDConnect

package struct Vipps: BrokerKind {
    private let merchantSerialNumber: String?
    private let version: String

    /// `version` is this server's.
    package init(merchantSerialNumber: String?, version: String) {
        self.merchantSerialNumber = merchantSerialNumber
        self.version = version
    }

    package func parameters(for provider: Provider, _ visit: Visit) -> [Parameter] {
        guard visit.switchesApps else { return [] }
        switch visit.platform {
        case .ios, .android:
            if visit.redirectsToApp {
                return [Parameter("requested_flow", "app_to_app_v2"), Parameter("final_redirect_is_app", "true")]
            }
            guard let url = visit.returnURL else { return [] }
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

    /// A `?` in a state is where the error begins that should have come after an `&`.
    package func received(_ parameters: [Parameter]) -> [Parameter] {
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
        let values = parameters.filter { $0.name == "resume_uri" }.map(\.value)
        return values.count == 1 ? values[0] : nil
    }
}
