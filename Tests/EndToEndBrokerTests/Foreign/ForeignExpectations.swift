// The checks that every login at a foreign provider must pass.
import EndToEndSupport
import StrictJSON
import Testing

extension ForeignStage {
    func expectErika(
        _ login: JSON, _ provider: String, at program: ForeignProgram,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard login["status"]?.string == "completed", let identity = login["identity"] else {
            let errors = self.providers[program]?.errors ?? ""
            Issue.record(
                "\(provider): \(login["reason"] ?? .null) \(self.server.log.text.suffix(600)) \(errors.suffix(2000))",
                sourceLocation: sourceLocation)
            return
        }
        #expect(identity["provider"]?.string == provider, sourceLocation: sourceLocation)
        #expect(identity["subject"]?.string?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(identity["name"]?.string == "Erika Mustermann", sourceLocation: sourceLocation)
        #expect(
            identity["claims"] == ["given_name": "Erika", "email": "erika@example.org"], sourceLocation: sourceLocation)
        #expect(identity["authenticated_at"]?.string != nil, sourceLocation: sourceLocation)
        #expect(login["proof"]?.string == "none", sourceLocation: sourceLocation)
    }
}
