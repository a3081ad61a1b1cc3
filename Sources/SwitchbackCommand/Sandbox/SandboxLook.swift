/// How an app of the sandbox looks on the server's pages: a colour of its own, and a sign as its logo.
struct SandboxLook {
    private let app: String
    /// For light pages, and for dark ones.
    private let accents: (light: String, dark: String)
    /// The lines of the sign, as the path of an SVG of 48 by 48.
    private let sign: String

    private static let all = [
        Self(
            app: "demo", accents: ("#1d4ed8", "#93c5fd"),
            sign: "M10 19c7-8 7 8 14 0s7 8 14 0M10 31c7-8 7 8 14 0s7 8 14 0"),
        Self(
            app: SandboxPlan.sessionApp, accents: ("#0f6b63", "#5eead4"),
            sign: "M10 19l14-9 14 9zM15 24v10M24 24v10M33 24v10M10 39h28"),
        Self(app: "kiosk", accents: ("#9a3412", "#fdba74"), sign: "M10 21h28l-4-10H14zM14 21v17h20V21"),
        Self(
            app: "desk", accents: ("#6d28d9", "#c4b5fd"), sign: "M12 32a12 12 0 0 1 24 0zM24 20v-6M20 13h8M10 37h28"),
    ]

    /// The setting of an app, in YAML.
    static func setting(of app: String) -> String {
        guard let look = self.all.first(where: { $0.app == app }) else { return "{}" }
        return "{accent: \"\(look.accents.light)\", accent_dark: \"\(look.accents.dark)\", "
            + "logo: \(look.file("light")), logo_dark: \(look.file("dark"))}"
    }

    /// The logos that the settings name.
    static var files: [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for look in self.all {
            files[look.file("light")] = look.logo(look.accents.light, ink: "#ffffff")
            files[look.file("dark")] = look.logo(look.accents.dark, ink: "#0b2415")
        }
        return files
    }

    private func file(_ scheme: String) -> String { "sandbox-\(self.app)-\(scheme).svg" }

    private func logo(_ accent: String, ink: String) -> [UInt8] {
        let image = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48">\
            <rect width="48" height="48" rx="12" fill="\(accent)"/>\
            <path d="\(self.sign)" fill="none" stroke="\(ink)" stroke-width="3" stroke-linecap="round" \
            stroke-linejoin="round"/></svg>
            """
        return Array(image.utf8)
    }
}
