// Validation errors have the names of Swift's cases: `unknownKey` is logged as `unknown_key`.

extension String {
    /// An underscore before each capital that follows a small letter, and everything in small letters.
    var snakeCased: String {
        var words = ""
        var follows = false
        for letter in self {
            if letter.isUppercase, follows { words += "_" }
            words += letter.lowercased()
            follows = letter.isLowercase
        }
        return words
    }
}
