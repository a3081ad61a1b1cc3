// The rules for the look of apps. Colours need none: what stands on them or beside them is computed.

extension ConfigurationValidator {
    mutating func checkLook(of app: SettingScope) {
        guard app.text("look.logo") == nil else { return }
        if app.text("look.logo_dark") != nil {
            self.report(app, "look.logo_dark", "needs look.logo, which light pages show")
        }
        if app.boolean("look.show_name") == false {
            self.report(app, "look.show_name", "needs look.logo: without name and logo nobody knows whose page it is")
        }
    }
}
