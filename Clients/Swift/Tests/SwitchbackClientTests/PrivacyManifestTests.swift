import Foundation
import Testing

/// The privacy manifests say that the library tracks nobody and collects nothing, and name each API of the sources for
/// which Apple wants a reason (`Describing use of required reason API`).
@Suite struct PrivacyManifestTests {
    typealias Row = (pattern: String, category: String, example: String)

    /// What needs a reason: a regular expression, its category, and a line that has it. `CLOCK_MONOTONIC` is not on
    /// Apple's list, but on Apple's systems it counts from the start of the system, as what is there does.
    static let rows: [Row] = [
        (#"\bUserDefaults\b|@AppStorage\b"#, "UserDefaults", "UserDefaults.standard"),
        (
            #"\.(contentM|fileM|m)odificationDate\b|\.(fileC|c)reationDate\b|\bresourceValues\("#, "FileTimestamp",
            "attributes[.modificationDate]"
        ),
        (
            #"\battributesOfItem\b|\b[fl]?stat(at)?\("#, "FileTimestamp",
            "try FileManager.default.attributesOfItem(atPath: path)"
        ),
        (#"\bgetattrlist(at|bulk)?\(|\bfgetattrlist\("#, "FileTimestamp", "getattrlist(path, &list, &buffer, 8, 0)"),
        (
            #"\bsystemUptime\b|\bmach_absolute_time\b|\bCACurrentMediaTime\b|\bKERN_BOOTTIME\b"#, "SystemBootTime",
            "ProcessInfo.processInfo.systemUptime"
        ),
        (#"\bCLOCK_(MONOTONIC|UPTIME)"#, "SystemBootTime", "clock_gettime(CLOCK_MONOTONIC, &time)"),
        (
            #"\bvolume\w*Capacity|\battributesOfFileSystem\b|\bsystem(Free)?Size\b|\bf?statv?fs\("#, "DiskSpace",
            "values.volumeAvailableCapacity"
        ),
        (#"\bactiveInputModes\b"#, "ActiveKeyboards", "UITextInputMode.activeInputModes"),
    ]

    private static func manifest(_ module: String) throws -> [String: Any] {
        let file = NewerThanPromisedTests.package.appendingPathComponent("Sources/\(module)/PrivacyInfo.xcprivacy")
        let value = try PropertyListSerialization.propertyList(from: try Data(contentsOf: file), format: nil)
        return try #require(value as? [String: Any])
    }

    /// The reasons of each category, without the prefix that all categories have.
    private static func reasons(_ module: String) throws -> [String: [String]] {
        let types = try #require(try Self.manifest(module)["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        var reasons: [String: [String]] = [:]
        for type in types {
            let name = try #require(type["NSPrivacyAccessedAPIType"] as? String)
            #expect(name.hasPrefix("NSPrivacyAccessedAPICategory"))
            let category = name.replacingOccurrences(of: "NSPrivacyAccessedAPICategory", with: "")
            #expect(reasons[category] == nil)
            reasons[category] = try #require(type["NSPrivacyAccessedAPITypeReasons"] as? [String])
        }
        return reasons
    }

    /// Returns the categories of what stands in these sources.
    private static func categories(in texts: [String]) -> Set<String> {
        Set(
            Self.rows.filter { row in
                texts.contains { !NewerThanPromisedTests.matches(row.pattern, in: $0).isEmpty }
            }.map(\.category))
    }

    @Test("each pattern finds its own example and no other", arguments: rows)
    func eachPatternFindsItsExample(_ row: Row) {
        #expect(Self.categories(in: [row.example]) == [row.category])
    }

    @Test("each API that needs a reason is declared, and no other", arguments: ["SwitchbackClient", "SwitchbackUI"])
    func eachAPIIsDeclared(_ module: String) throws {
        let texts = try NewerThanPromisedTests.sources(below: "Sources/\(module)").map(\.text)
        #expect(texts.count > 20)
        let reasons = try Self.reasons(module)
        #expect(Set(reasons.keys) == Self.categories(in: texts))
        // 35F9.1: the time between two events in the app, and timers.
        #expect(reasons.allSatisfy { $0.key == "SystemBootTime" && $0.value == ["35F9.1"] })
    }

    @Test("the library tracks nobody and collects nothing", arguments: ["SwitchbackClient", "SwitchbackUI"])
    func theLibraryTracksNobody(_ module: String) throws {
        let manifest = try Self.manifest(module)
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        for name in ["NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes"] {
            #expect((manifest[name] as? [Any])?.isEmpty == true, "\(name)")
        }
        #expect(manifest.count == 4)
    }

    @Test("an app gets the manifest with the library") func anAppGetsTheManifest() throws {
        let file = NewerThanPromisedTests.package.appendingPathComponent("Package.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        for module in ["SwitchbackClient", "SwitchbackUI"] {
            let lines = text.components(separatedBy: "\n").filter { $0.contains(".target(name: \"\(module)\"") }
            #expect(lines.count == 1 && lines.first?.contains("resources: resources)") == true)
        }
        #expect(text.contains(".copy(manifest)") && text.contains("let manifest = \"PrivacyInfo.xcprivacy\""))
    }
}
