import StrictJSON

/// The parameters that only Nets eID Broker has.
enum NetsEIDParameters {
    private static let idps: Set<String> = [
        "mitid", "mitid_erhverv", "mobilepay", "eboks", "soloid", "passkeyid", "euid", "euav",
    ]

    /// Returns what is wrong with the parameters that only it has. Only the user is told.
    static func problem(_ parameters: Parameters) -> String? {
        if let other = parameters.list("idp_values").first(where: { !self.idps.contains($0) }) {
            return "idp_values: \(other) is unknown"
        }
        guard let text = parameters["idp_params"] else { return nil }
        guard let members = (try? JSON(parsing: Array(text.utf8)))?.object else {
            return "idp_params is not a JSON object"
        }
        guard let mitID = members["mitid"]?.object, mitID["enable_app_switch"]?.bool == true else { return nil }
        guard let system = mitID["app_switch_os"]?.string, ["ios", "android"].contains(system),
            mitID["app_switch_url"]?.string.map(self.isLink) == true
        else { return "idp_params: enable_app_switch requires app_switch_os and app_switch_url" }
        return nil
    }

    /// On a single machine, the app's links are plain http.
    private static func isLink(_ url: String) -> Bool {
        url.hasPrefix("https://") || url.hasPrefix("http://localhost:")
    }
}
