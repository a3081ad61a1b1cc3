import StrictJSON

/// The `claims` parameter: individual claims by name, for the ID token or the userinfo (Core §5.5).
struct RequestedClaims: Sendable {
    var inIDToken: Set<String> = []
    var inUserinfo: Set<String> = []
    /// The values of `acr`, the best first (Core §5.5.1.1).
    private(set) var contextClasses: [String] = []

    init() {}

    /// Returns nil for any other text.
    init?(_ text: String) {
        guard let members = (try? JSON(parsing: Array(text.utf8)))?.object else { return nil }
        for (place, value) in members where place == "id_token" || place == "userinfo" {
            guard let claims = value.object else { return nil }
            if place == "id_token" {
                self.inIDToken = Set(claims.names)
                self.contextClasses = Self.values(claims["acr"]?.object)
            } else {
                self.inUserinfo = Set(claims.names)
            }
        }
    }

    private static func values(_ request: JSON.Object?) -> [String] {
        if let value = request?["value"]?.string { return [value] }
        return request?["values"]?.array?.compactMap(\.string) ?? []
    }
}
