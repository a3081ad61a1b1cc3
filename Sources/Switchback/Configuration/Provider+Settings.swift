/// Makes a provider from its settings.
import Brokers

extension Provider {
    init(_ scope: SettingScope) throws(SettingScope.Absent) {
        self.init(
            id: scope.name, brokerID: try scope.need("broker", SettingScope.text),
            names: try scope.need("names", SettingScope.names))
        self.countries = try scope.need("countries", SettingScope.list)
        self.scope = try scope.need("scope", SettingScope.list)
        self.acrValues = try scope.need("acr_values", SettingScope.list)
        self.prompt = scope.text("prompt")
        self.maxAge = scope.integer("max_age")
        self.usesUserInfo = try scope.need("userinfo", SettingScope.boolean)
        self.authorize = try scope.need("authorize", SettingScope.choice)
        self.claims = try scope.need("claims", SettingScope.list)
        self.parameters = Set(try scope.need("parameters", SettingScope.list))
    }
}
