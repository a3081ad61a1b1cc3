import Foundation

/// This library's version, and what it says of itself in `User-Agent`.
enum ClientVersion {
    /// The version of the next release. `Clients/release` compares it with the tag.
    static let number = "0.1.0"

    /// `switchback-swift/0.1.0 (ios 17.5.0; com.example.shop 4.2)`.
    static let userAgent: String = {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let system = "\(Self.system) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
        let info = Bundle.main.infoDictionary
        return Self.userAgent(
            system: system, app: Bundle.main.bundleIdentifier, version: info?["CFBundleShortVersionString"] as? String)
    }()

    /// Other characters than letters, digits and a few marks become `_`, because the field is in every request.
    static func userAgent(system: String, app: String?, version: String?) -> String {
        let parts = [system] + (app.map { [[$0, version].compactMap(\.self).joined(separator: " ")] } ?? [])
        return "switchback-swift/\(Self.number) (\(parts.map(Self.clean).joined(separator: "; ")))"
    }

    private static func clean(_ text: String) -> String {
        String(
            text.prefix(100).map { character in
                character.isASCII && (character.isLetter || character.isNumber || " .-_+".contains(character))
                    ? character : "_"
            })
    }

    private static var system: String {
        #if os(iOS)
        "ios"
        #elseif os(macOS)
        "macos"
        #elseif os(Linux)
        "linux"
        #else
        "other"
        #endif
    }
}
