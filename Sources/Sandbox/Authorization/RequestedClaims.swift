/// The `claims` parameter: single claims by name, and for which place (Core §5.5).
import StrictJSON

struct RequestedClaims: Sendable {
    var inIDToken: Set<String> = []
    var inUserinfo: Set<String> = []
    /// Of `acr`, the first is the best (Core §5.5.1.1).
    private(set) var contextClasses: [String] = []

    init() {}

    /// Nil for what is no such object.
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

    private static func values(_ wish: JSON.Object?) -> [String] {
        if let value = wish?["value"]?.string { return [value] }
        return wish?["values"]?.array?.compactMap(\.string) ?? []
    }
}
