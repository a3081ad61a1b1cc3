import ConfigurationSamples
import Preflight
import ServerConfiguration
import Testing

/// What `check` says about providers that are switched off.
@Suite struct ProviderReportTests {
    @Test(arguments: [
        ("", ""), ("    notices: Back soon.\n", ""),
        (
            "    enabled: false\n",
            "Providers that are switched off:\n  mitid: users are told so in their language\n\n"
        ),
        (
            "    enabled: false\n    notices: {en: Back soon., da: Snart igen.}\n",
            "Providers that are switched off:\n  mitid: da \"Snart igen.\", en \"Back soon.\"\n\n"
        ),
    ]) func `the report names them and what users are told`(_ lines: String, _ expected: String) throws {
        let configuration = try Configuration(SampleConfiguration.source(adding: lines))
        #expect(ProviderReport.text(configuration) == expected)
    }
}
