import ConfigurationSamples
import Testing

@testable import ServerConfiguration

/// The switch of a provider, and what its users are told.
@Suite struct ProviderSwitchTests {
    private static let long = String(repeating: "x", count: 201)

    @Test(arguments: [
        ("enabled: off", ["enabled: must be true or false, not \"off\"; write false"]),
        ("notices: {}", ["notices: must have a text for at least one language"]),
        ("notices: {english: x}", ["notices: \"english\" is not a language tag, as in en, da or pt-BR"]),
        ("notices: \"a\\nb\"", ["notices: contains a control character, such as a line end"]),
        ("notices: \(Self.long)", ["notices: must have at most 200 characters, but \"en\" has 201"]),
        (
            "notices: {en: \"<b>x</b>\", da: \"{app}\"}",
            [
                "notices: must be plain text, but \"da\" has {: users would see it, because nothing is replaced in a notice",
                "notices: must be plain text, but \"en\" has <: users would see it, because nothing is replaced in a notice",
            ]
        ),
        (
            "notices: \"a\\u2028b\"",
            [
                "notices: must be plain text, but \"en\" has a line separator: users would see it, because nothing is replaced in a notice"
            ]
        ),
        ("enabled: false", []), ("notices: Back at 14:00.", []),
        ("notices: {en: Back at 14:00., kl: Uteqqissaaq.}", []),
    ]) func `each mistake is said`(_ line: String, _ expected: [String]) {
        let problems = SampleConfiguration.problems(SampleConfiguration.source(adding: "    \(line)\n"))
        #expect(problems.map { $0.replacing(/^s.yaml:[0-9]+: providers.mitid./, with: "") } == expected)
    }

    @Test func `a provider is on unless a line says otherwise`() throws {
        let on = try Configuration(SampleConfiguration.source()).providers[0]
        #expect(on.isEnabled && on.notices.isEmpty)
        let lines = "    enabled: false\n    notices: {en: Back soon., da: Snart igen.}\n"
        let off = try Configuration(SampleConfiguration.source(adding: lines)).providers[0]
        #expect(!off.isEnabled && off.notices == ["en": "Back soon.", "da": "Snart igen."])
        let short = try Configuration(SampleConfiguration.source(adding: "    notices: Back soon.\n")).providers[0]
        #expect(short.notices == ["en": "Back soon."])
    }
}
