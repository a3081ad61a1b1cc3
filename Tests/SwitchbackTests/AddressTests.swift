import ConfigurationSamples
import Links
import LoginAPI
import ServerConfiguration
import Testing

/// The server responds at the addresses that are registered with brokers and in apps.
@Suite struct AddressTests {
    @Test func `a redirect URI leads to the callback`() throws {
        let configuration = try Configuration(SampleConfiguration.source())
        let broker = try #require(configuration.brokers.first)
        let path = PathPattern.callback.path(broker.id)
        #expect(configuration.redirectURI(of: broker) == configuration.publicURL.text + path)
    }

    @Test func `a callback of an app is a link`() throws {
        let configuration = try Configuration(LinkExample.source(broker: "\n    callback: app"))
        let broker = try #require(configuration.brokers.first)
        #expect(AppLinks(configuration).callbacks == [PathPattern.callback.path(broker.id)])
    }
}
