/// A link to DigiD's app that the resolver made. It is used only if it leads there, and back to us.
import Base

enum ForeignAppLink {
    /// In bytes. Long keys make long links.
    private static let limit = 8192

    /// Returns why the link is refused, in our words; nil if it is valid.
    static func problem(_ link: String, of settings: DigiDSettings, state: String) -> String? {
        // The link becomes JSON and text on a page, so it must not contain characters that end either.
        guard link.utf8.count <= self.limit, link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return "text" }
        let mark = "?\(AppToAppText.name)="
        guard link.utf8.starts(with: (settings.appLink + mark).utf8) else { return "elsewhere" }
        let text = link.dropFirst(settings.appLink.count + mark.count)
        guard let object = AppToAppText.object(self.unescaped(text)) else { return "app_app" }
        // The response goes to this URL, so it must be ours.
        guard let back = object["ReturnUrl"]?.string, identical(back, settings.returnURL) else { return "return_url" }
        do throws(AppToAppError) {
            // A host other than DigiD's own is for tests.
            if settings.testHost == nil, try object.appText("Host") != nil { return "host" }
            guard let relayState = try object.appText("RelayState") else { return nil }
            return identical(relayState, state) ? nil : "relay_state"
        } catch {
            return "app_app"
        }
    }

    /// Some resolvers escape the three characters of base64 that have a meaning in forms.
    private static func unescaped(_ text: Substring) -> String {
        [("%2B", "+"), ("%2b", "+"), ("%2F", "/"), ("%2f", "/"), ("%3D", "="), ("%3d", "=")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}
