// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of every language, by its tag.
    static let all: [String: ScreenTexts] = [
        "da": da,
        "de": de,
        "en": en,
        "fi": fi,
        "fo": fo,
        "kl": kl,
        "nb": nb,
        "nl": nl,
        "nn": nn,
        "sv": sv,
        "sv-FI": svFI,
    ]

    /// The languages that an app has to ask for, as the server has to be told to offer them.
    static let optInTags: Set<String> = ["fo", "kl"]
}
