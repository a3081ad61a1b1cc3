// Checks one value before there is a configuration.

extension Setting {
    /// Returns why the setting, or an item of its list, cannot have this value: the end of a sentence. Nil if it can.
    package func problem(of text: String) -> String? {
        var kind = self.kind
        if case .list(let element) = kind { kind = element }
        do throws(SettingKind.ValueError) {
            _ = try kind.value(of: .scalar(text), secret: self.isSecret)
            return nil
        } catch {
            return error.message
        }
    }
}
