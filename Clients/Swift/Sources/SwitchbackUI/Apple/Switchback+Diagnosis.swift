// What would break the first login on this phone.

#if canImport(UIKit)
import Foundation
import SwitchbackClient
import UIKit

extension Switchback {
    /// Says what would break the first login on this phone, and writes it to the log in debug builds. Call it at the
    /// start of a debug build. It asks the server for the providers, and the site of the app's links for its
    /// association.
    ///
    /// It cannot see the entitlements of an app from the App Store, and not whether the system has read the
    /// association.
    public func diagnose() async -> [Diagnosis] {
        let bundle = Bundle.main
        var facts = AppFacts()
        facts.bundleID = bundle.bundleIdentifier ?? ""
        facts.infoKeys = Set((bundle.infoDictionary ?? [:]).keys)
        facts.querySchemes = bundle.infoDictionary?["LSApplicationQueriesSchemes"] as? [String] ?? []
        facts.hasSession = self.configuration.hasSession
        facts.returnHost = self.configuration.returnHost
        if let file = bundle.url(forResource: "embedded", withExtension: "mobileprovision") {
            facts.associatedDomains = (try? Data(contentsOf: file)).flatMap(AppFacts.associatedDomains(inProfile:))
        }
        if let host = facts.returnHost,
            let url = URL(string: "https://\(host)/.well-known/apple-app-site-association"),
            let (body, response) = try? await URLSession.shared.data(from: url),
            (response as? HTTPURLResponse)?.statusCode == 200
        {
            facts.association = body
        }
        var diagnoses: [Diagnosis] = []
        do throws(ProvidersError) {
            facts.schemesOfApps = try await self.providers().flatMap(\.querySchemes)
        } catch {
            diagnoses = [Diagnosis(.providersUnknown, error.problem?.code ?? error.kind.code)]
        }
        diagnoses += facts.diagnoses
        #if DEBUG
        for diagnosis in diagnoses { NSLog("Switchback: %@", diagnosis.description) }
        #endif
        return diagnoses
    }
}
#endif
