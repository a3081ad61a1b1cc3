/// A field for digits that the user types. It takes nothing from the clipboard: a code or PIN that other apps can read
/// is none.
struct DigitField: Hashable, Sendable {
    /// ASCII digits, whatever digits the keypad has.
    private(set) var digits = ""
    /// How many digits it takes.
    let limit: Int

    init(limit: Int) { self.limit = limit }

    var isFull: Bool { self.digits.count == self.limit }

    /// Takes what the field has after a key was pressed. A key adds one character at most, and more are pasted or filled
    /// in, so they are left out.
    mutating func take(_ text: String) {
        let begin = zip(text, self.digits).prefix { $0 == $1 }.count
        let end = zip(text.dropFirst(begin).reversed(), self.digits.dropFirst(begin).reversed())
            .prefix { $0 == $1 }.count
        guard text.count - begin - end <= 1 else { return }
        let typed = text.compactMap { character -> Character? in
            guard let value = character.wholeNumberValue, (0...9).contains(value) else { return nil }
            return Character(String(value))
        }
        guard typed.count <= self.limit else { return }
        self.digits = String(typed)
    }

    mutating func clear() { self.digits = "" }
}
