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

    /// The server reads this form only, and takes the versions of apps from it. What the bundle does not say is `unknown`.
    static func userAgent(system: String, app: String?, version: String?) -> String {
        let (app, version) = (Self.clean(app, atMost: 128), Self.clean(version, atMost: 32))
        return "switchback-swift/\(Self.number) (\(system); \(app) \(version))"
    }

    /// Characters other than letters, digits and a few marks become `_`, and a mark at the beginning goes.
    private static func clean(_ text: String?, atMost limit: Int) -> String {
        let word = (text ?? "").map { character in
            character.isASCII && (character.isLetter || character.isNumber || ".-_+".contains(character))
                ? character : "_"
        }
        let clean = String(word.drop { ".-_+".contains($0) }.prefix(limit))
        return clean.isEmpty ? "unknown" : clean
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
