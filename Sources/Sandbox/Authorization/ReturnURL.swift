/// Where an e-ID's app returns to, as brokers have it in their parameters.
import Base
import HTTPWire
import StrictJSON

enum ReturnURL {
    /// Nets eID Broker's, or Idura's.
    static func url(_ parameters: Parameters) -> String? {
        Self.inIDPParams(parameters) ?? Self.inLoginHint(parameters)
    }

    /// Nets eID Broker: where the MitID app returns to.
    static func inIDPParams(_ parameters: Parameters) -> String? {
        guard let text = parameters["idp_params"], let json = try? JSON(parsing: Array(text.utf8)) else { return nil }
        return json["mitid"]?["app_switch_url"]?.string
    }

    /// Idura.
    private static func inLoginHint(_ parameters: Parameters) -> String? {
        let mark = "appswitch:resumeUrl:"
        return parameters.list("login_hint").first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }

    /// Vipps: the state, and where the browser has to go on.
    static func vipps(_ parameters: Parameters, resume: String) -> String? {
        guard let uri = parameters["app_callback_uri"], let state = parameters["state"] else { return nil }
        return uri + "?" + FormBody.encode([Parameter("state", state), Parameter("resume_uri", resume)])
    }
}
