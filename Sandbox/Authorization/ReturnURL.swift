import Base
import HTTPWire
import StrictJSON

/// Where an e-ID's app returns to, in the brokers' own parameters.
enum ReturnURL {
    /// Reads the parameter of Nets eID Broker or of Idura.
    static func url(_ parameters: Parameters) -> String? {
        Self.inIDPParams(parameters) ?? Self.inLoginHint(parameters)
    }

    /// Nets eID Broker: returns where the MitID app returns to.
    static func inIDPParams(_ parameters: Parameters) -> String? {
        guard let text = parameters["idp_params"], let json = try? JSON(parsing: Array(text.utf8)) else { return nil }
        return json["mitid"]?["app_switch_url"]?.string
    }

    /// Idura: the same.
    private static func inLoginHint(_ parameters: Parameters) -> String? {
        let mark = "appswitch:resumeUrl:"
        return parameters.list("login_hint").first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }

    /// Vipps: returns the URL with the state, and with where the browser has to continue.
    static func vipps(_ parameters: Parameters, resume: String) -> String? {
        guard let uri = parameters["app_callback_uri"], let state = parameters["state"] else { return nil }
        return uri + "?" + FormBody.encode([Parameter("state", state), Parameter("resume_uri", resume)])
    }
}
