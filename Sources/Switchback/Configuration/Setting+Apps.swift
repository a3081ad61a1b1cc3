/// The settings of each app.
extension Setting {
    static let apps: [Setting] = [
        Setting(
            "apps.*.name", .names, .required,
            "The app's name as people know it: a text, or one per language."),
        Setting(
            "apps.*.release", .choice(["return_link", "code", "immediate"]), .optional,
            "What the app must show to get a result: return_link, the link of the done page or its code (the default where there are return_prefixes), code, the code of that page (the default else), or immediate, nothing, so that whoever is sent a login's link logs in the sender's app."
        ),
        Setting(
            "apps.*.audience", .text, .optional,
            "The aud of the app's assertions, which its own API demands; without it the app's name in this file."),
        Setting(
            "apps.*.return_prefixes", .list(.returnPrefix), .value([]),
            "How links that open the app begin, as in https://link.example.com/r/ or com.example.app:/r; the done page's button goes to the first."
        ),
    ]
}
