import Testing

@testable import Brokers

/// Tests that every setting that a kind of broker declares changes what the kind works with.
@Suite struct KindOptionTests {
    /// Settings of which one is set.
    struct Values: OptionValues {
        let name: String
        let format: KindOption.Format?
        let place = "brokers.example"

        func text(_ name: String) -> String? {
            guard name == self.name else { return nil }
            return switch self.format {
            case .text, .word: "x"
            case .host: "x.example"
            case .url: "https://x.example/"
            case .choice(let words): words.last
            case .integer, .words, .urls, nil: nil
            }
        }

        func integer(_ name: String) -> Int? {
            guard name == self.name, case .integer(let range) = self.format else { return nil }
            return range.upperBound
        }

        func boolean(_ name: String) -> Bool? { nil }

        func isWritten(_ name: String) -> Bool { name == self.name }

        func list(_ name: String) -> [String]? {
            guard name == self.name else { return nil }
            return switch self.format {
            case .words: ["x"]
            case .urls: ["https://x.example/"]
            case .text, .word, .host, .url, .choice, .integer, nil: nil
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let kind: KnownKind
        let option: KindOption
        var testDescription: String { "\(self.option.name) of \(self.kind.rawValue)" }
    }

    /// DigiD has no OpenID Connect, and its own tests.
    static let openIDKinds = KnownKind.all.filter { $0 != .digid }

    static let ofBrokers = openIDKinds.flatMap { kind in kind.settings.map { Row(kind: kind, option: $0) } }
    static let ofProviders = openIDKinds.flatMap { kind in kind.providerSettings.map { Row(kind: kind, option: $0) } }

    @Test(arguments: ofBrokers) func `a kind works with each of its settings`(_ row: Row) throws {
        let plain = try #require(row.kind.openID(Values(name: "", format: nil)))
        let changed = try #require(row.kind.openID(Values(name: row.option.name, format: row.option.format)))
        #expect("\(changed)" != "\(plain)")
    }

    @Test(arguments: ofProviders) func `a kind works with each setting of a provider`(_ row: Row) {
        let plain = row.kind.options(from: Values(name: "", format: nil))
        let changed = row.kind.options(from: Values(name: row.option.name, format: row.option.format))
        #expect("\(changed)" != "\(plain)")
    }

    /// What `brokers.*.kind` names is found again, and nothing else is.
    @Test func `each kind has its own name`() {
        #expect(Set(KnownKind.all.map(\.rawValue)).count == KnownKind.all.count)
        for kind in KnownKind.all { #expect(KnownKind(rawValue: kind.rawValue) == kind) }
        #expect(KnownKind(rawValue: "saml") == nil)
    }

    /// Otherwise it would be unclear which kind reads it.
    @Test func `no two kinds declare the same setting`() {
        let all = KnownKind.all.flatMap { $0.settings.map(\.name) + $0.providerSettings.map { "/\($0.name)" } }
        #expect(Set(all).count == all.count)
    }
}
