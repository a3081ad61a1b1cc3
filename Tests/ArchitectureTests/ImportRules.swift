/// Who may import whom. A target that is not listed fails the test, so a new one must say its rule here.
import Testing

@Suite struct ImportRules {
    /// What the system brings, allowed where a module says so.
    private static let platform: Set<String> = ["Darwin", "Dispatch", "Glibc", "Synchronization"]
    private static let foundation: Set<String> = ["Foundation", "FoundationEssentials"]

    static let allowed: [String: Set<String>] = [
        "EventLoop": platform.union(["CEpoll"]),
        "HTTPWire": [],
        "HTTPServer": platform.union(["HTTPWire", "EventLoop", "CEpoll", "CSSL", "CZlib"]),
        "Outbound": platform.union(["EventLoop", "CCurl", "CSSL"]),
        "Base": ["CSSL", "Darwin", "Glibc", "Synchronization"],
        "StrictJSON": ["Base"],
        "Cryptography": ["Base", "CSSL", "Synchronization"],
        "JOSE": ["Cryptography", "StrictJSON", "Base", "CSSL", "Synchronization"],
        "OpenIDConnect": ["JOSE", "Cryptography", "StrictJSON", "Base", "Synchronization"],
        "Brokers": ["OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base", "CZlib"],
        "Logins": ["Brokers", "OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base", "Synchronization"],
        "Stores": platform.union(foundation).union(["Logins", "Base", "EventLoop", "GRDB", "CPQ"]),
        "Switchback": platform.union(foundation).union([
            "Stores", "Logins", "Brokers", "OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base", "HTTPServer",
            "HTTPWire", "EventLoop", "Outbound",
            "Logging", "Metrics", "Mustache", "ServiceLifecycle", "UnixSignals", "Yams",
            "CMalloc",
        ]),
        "Sandbox": [
            "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "Cryptography", "StrictJSON", "Base", "CZlib",
            "Synchronization",
        ],
        "SwitchbackClient": ["Foundation"],
        "SwitchbackCommand": platform.union(foundation).union([
            "Switchback", "Sandbox", "Stores", "ArgumentParser", "JOSE", "Base", "HTTPServer", "EventLoop", "Outbound",
        ]),
    ]

    static func sources() throws -> [SourceFile] { try SourceTree.files(below: "Sources") }

    @Test func everyTargetSaysItsRule() throws {
        let targets = Set(try Self.sources().map(\.target))
        #expect(targets.subtracting(Self.allowed.keys).sorted() == [])
        #expect(Set(Self.allowed.keys).subtracting(targets).sorted() == [], "a rule without a target")
    }

    @Test func noFileImportsWhatItsTargetMayNot() throws {
        let offences = try Self.sources().flatMap { file in
            file.imports.subtracting(Self.allowed[file.target] ?? []).sorted().map { "\(file.path) imports \($0)" }
        }
        #expect(offences == [])
    }

    /// Neighbours never import each other, and imports go down only: following them ends.
    @Test func importsGoDownOnly() {
        func reaches(_ target: String, from start: String, _ seen: Set<String> = []) -> Bool {
            guard !seen.contains(start) else { return false }
            let next = Self.allowed[start] ?? []
            return next.contains(target) || next.contains { reaches(target, from: $0, seen.union([start])) }
        }
        #expect(Self.allowed.keys.filter { reaches($0, from: $0) }.sorted() == [])
    }

    /// `serve` cannot reach the sandbox: only the command's sandbox file imports it.
    @Test func onlyTheSandboxCommandKnowsTheSandbox() throws {
        let files = try Self.sources().filter { $0.target != "Sandbox" && $0.imports.contains("Sandbox") }
        #expect(files.allSatisfy { $0.path.hasPrefix("Sources/SwitchbackCommand/Sandbox") }, "\(files.map(\.path))")
        #expect(!files.isEmpty)
    }

    @Test func theParserOfImportsSeesEveryForm() {
        let text =
            "import A\n@preconcurrency import B\ninternal import C\nimport struct D.E\n// import F\nlet import1 = 2"
        let file = SourceFile(path: "Sources/X/x.swift", lines: text.split(separator: "\n"))
        #expect(file.imports == ["A", "B", "C", "D"])
    }
}
