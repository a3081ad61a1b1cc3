import OpenAPIChecking
import StrictJSON
import Testing

/// Tests that the file says which members each action of `next` has, no more and no less. The schema is one object,
/// because generated clients read that, and its `x-sent` is as strict as a schema for each action.
@Suite struct NextSchemaTests {
    typealias Row = (action: String, members: JSON.Object)

    private static let browser: JSON.Object = [
        "url": "https://login.example.com/go/x", "expires_in": 600, "surfaces": ["auth_session", "tab", "system"],
        "callback": "https://link.example.com/r/", "callback_scheme": .null, "ephemeral": false,
        "android_packages": ["com.android.chrome"],
    ]
    private static let app: JSON.Object = [
        "universal_link": "https://app.example.com/x", "custom_scheme": .null, "android_package": .null,
        "store_url": .null, "fallback": .null, "expires_in": 60,
    ]
    private static let appWithTexts: JSON.Object = [
        "universal_link": "https://app.example.com/x", "custom_scheme": "eid:x", "android_package": "com.example.eid",
        "store_url": "https://store.example.com/", "fallback": "https://help.example.com/", "expires_in": 0,
    ]

    /// What each action has beside its name.
    private static let rows: [Row] = [
        ("open_browser", browser), ("resume_browser", browser), ("show_browser", browser), ("enter_code", browser),
        ("open_app", app), ("open_app", appWithTexts), ("wait", [:]),
    ]

    /// Returns what is wrong with a `next`. Without an action if it is nil.
    private static func problems(_ action: String?, _ members: JSON.Object) throws -> [String] {
        var next = members
        next["action"] = action.map { JSON.string($0) }
        let checker = try OpenAPIFileTests.document.get().checker
        return checker.problems(.object(next), ["$ref": "#/components/schemas/Next"], at: "next")
    }

    @Test func `every action of the file is a row`() throws {
        #expect(try OpenAPIFileTests.list("Next", "action") == Set(Self.rows.map(\.action)))
    }

    @Test(arguments: rows) func `an action that lacks a member is found`(_ row: Row) throws {
        #expect(try Self.problems(row.action, row.members) == [])
        for name in row.members.names {
            var members = row.members
            members[name] = nil
            #expect(try Self.problems(row.action, members) == ["next: lacks \(name), with action \(row.action)"])
        }
    }

    @Test(arguments: rows) func `an action that has a member of another is found`(_ row: Row) throws {
        let foreign = Self.rows.flatMap { Array($0.members) }.filter { row.members[$0.name] == nil }
        #expect(!foreign.isEmpty)
        for member in foreign {
            var members = row.members
            members[member.name] = member.value
            let problem = "next.\(member.name): is not described, with action \(row.action)"
            #expect(try Self.problems(row.action, members) == [problem])
        }
    }

    @Test(arguments: ["scan_code", "WAIT", ""]) func `an unknown action is found`(_ action: String) throws {
        for members in [JSON.Object(), Self.browser, Self.app] {
            let problems = try Self.problems(action, members)
            #expect(problems.contains { $0.hasPrefix("next.action: ") && $0.hasSuffix("is not listed") })
        }
    }

    @Test func `a next without an action is found`() throws {
        #expect(try Self.problems(nil, Self.browser).contains("next: lacks action"))
    }

    @Test(arguments: rows) func `a member that no action has is found`(_ row: Row) throws {
        var members = row.members
        members["haptics"] = true
        #expect(try Self.problems(row.action, members).contains("next.haptics: is not described"))
    }

    @Test(
        arguments: [
            ("open_browser", "url", .null), ("open_browser", "expires_in", .null),
            ("open_browser", "expires_in", .integer(-1)),
            ("resume_browser", "surfaces", .null), ("resume_browser", "surfaces", ["hologram"]),
            ("show_browser", "callback", 1), ("show_browser", "callback_scheme", false),
            ("enter_code", "ephemeral", .null), ("enter_code", "android_packages", [1]),
            ("open_app", "universal_link", .null), ("open_app", "custom_scheme", 1),
            ("open_app", "android_package", false), ("open_app", "store_url", []), ("open_app", "fallback", [:]),
            ("open_app", "expires_in", "60"),
        ] as [(String, String, JSON)]) func `a member of another type is found`(
            _ action: String, _ name: String, _ value: JSON
        ) throws
    {
        var members = try #require(Self.rows.first { $0.action == action }).members
        members[name] = value
        let problems = try Self.problems(action, members)
        #expect(problems.count == 1)
        #expect(problems.allSatisfy { $0.hasPrefix("next.\(name)") })
    }

    @Test func `each member says which actions have it`() throws {
        let next = try #require(try OpenAPIFileTests.document.get().root["components"]?["schemas"]?["Next"])
        for property in try #require(next["properties"]?.object) where property.name != "action" {
            let text = try #require(property.value["description"]?.string)
            for row in Self.rows {
                let isNamed = text.contains("`\(row.action)`")
                #expect(isNamed == (row.members[property.name] != nil), "\(property.name), \(row.action)")
            }
        }
    }

    @Test func `the file says what to do with each action`() throws {
        let next = try #require(try OpenAPIFileTests.document.get().root["components"]?["schemas"]?["Next"])
        let text = try #require(next["description"]?.string)
        for row in Self.rows { #expect(text.contains("- `\(row.action)`: ")) }
    }
}
