/// A list whose items have settings of their own, such as the keys that sign.
package struct SettingItems<Item: SettingDeclarations>: Sendable {
    /// The list itself, as in `keys.signing`.
    let pattern: SettingPattern
    /// The settings of every item.
    let item: Item

    /// Declares the settings of an item with the beginning of their names, as in `keys.signing[]`.
    init(_ pattern: String, of item: (String) -> Item) {
        self.pattern = SettingPattern(pattern)
        self.item = item("\(pattern)[]")
    }
}

/// Such a list, whatever its items are.
protocol DeclaredItems {
    /// Those of an item.
    var settings: [any DeclaredSetting] { get }
}

extension SettingItems: DeclaredItems {
    var settings: [any DeclaredSetting] { self.item.settings }
}
