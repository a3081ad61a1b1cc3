/// A link to DigiD's app that the resolver made: opened only if it leads there, and back to us.
import Base

enum ForeignAppLink {
    /// Long keys make long links.
    private static let limit = 8192

    /// Why it is not opened, in our words; nil when nothing is wrong with it.
    static func problem(_ link: String, of settings: DigiDSettings, state: String) -> String? {
        // The link becomes JSON and a page's text: it must not hold what ends either.
        guard link.utf8.count <= self.limit, link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "text" }
        let mark = "?\(AppToAppText.name)="
        guard link.utf8.starts(with: (settings.appLink + mark).utf8) else { return "elsewhere" }
        let text = link.dropFirst(settings.appLink.count + mark.count)
        guard let object = AppToAppText.object(self.unescaped(text)) else { return "app_app" }
        // Where it leads back is where the answer goes: to nobody else's link.
        guard let back = object["ReturnUrl"]?.string, identical(back, settings.returnURL) else { return "return_url" }
        do throws(AppToAppError) {
            // Another host than DigiD's own is for tests.
            if settings.testHost == nil, try object.appText("Host") != nil { return "host" }
            guard let relayState = try object.appText("RelayState") else { return nil }
            return identical(relayState, state) ? nil : "relay_state"
        } catch {
            return "app_app"
        }
    }

    /// Some escape the three characters of base64 that mean something in forms.
    private static func unescaped(_ text: Substring) -> String {
        [("%2B", "+"), ("%2b", "+"), ("%2F", "/"), ("%2f", "/"), ("%3D", "="), ("%3d", "=")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
