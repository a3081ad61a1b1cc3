/// What every login at a foreign provider must have come to.
import JOSE
import Switchback
import Testing

extension ForeignStage {
    func expectErika(
        _ login: JSON, _ provider: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let identity = login["identity"]
        #expect(
            login["status"]?.string == "completed",
            "\(login["reason"] ?? .null) \(self.server.log.text.suffix(600)) \(self.provider.errors.suffix(2000))",
            sourceLocation: sourceLocation)
        #expect(identity?["provider"]?.string == provider, sourceLocation: sourceLocation)
        #expect(identity?["name"]?.string == "Erika Mustermann", sourceLocation: sourceLocation)
        #expect(
            identity?["claims"] == ["given_name": "Erika", "email": "erika@example.org"],
            sourceLocation: sourceLocation)
        #expect(identity?["authenticated_at"]?.string != nil, sourceLocation: sourceLocation)
        #expect(login["proof"]?.string == "none", sourceLocation: sourceLocation)
    }
}
