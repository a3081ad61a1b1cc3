// What would break the first login on this phone.

#if canImport(UIKit)
import Foundation
import SwitchbackClient
import UIKit

extension Switchback {
    /// Says what would break the first login on this phone, and writes it to the log in debug builds. Call it at the
    /// start of a debug build. It asks the server for the providers, and the site of the app's links and Apple's server
    /// for their association. It stores an item and makes a key, and removes both.
    ///
    /// It cannot see the entitlements of an app from the App Store.
    public func diagnose() async -> [Diagnosis] {
        var facts = self.factsOfBundle
        if let host = facts.returnHost {
            facts.association = await Self.body(of: "https://\(host)/.well-known/apple-app-site-association")
            // A debug build with `?mode=developer` asks the site itself.
            if facts.associatedDomains?.contains(where: { $0.hasSuffix("?mode=developer") }) != true {
                facts.fetchedAssociation = await Self.body(
                    of: "https://app-site-association.cdn-apple.com/a/v1/\(host)")
            }
        }
        facts.storeError = await self.storeError()
        if self.configuration.hasSession { facts.keyError = await Self.keyError() }
        var diagnoses: [Diagnosis] = []
        do throws(ProvidersError) {
            let providers = try await self.providers()
            facts.schemesOfApps = providers.flatMap(\.querySchemes)
            facts.surfaces = Dictionary(providers.map { ($0.id, $0.surfaces) }) { first, _ in first }
        } catch {
            diagnoses = [Diagnosis(.providersUnknown, error.problem?.code ?? error.kind.code)]
        }
        diagnoses += facts.diagnoses
        #if DEBUG
        for diagnosis in diagnoses { NSLog("Switchback: %@", diagnosis.description) }
        #endif
        return diagnoses
    }

    private var factsOfBundle: AppFacts {
        let (bundle, info) = (Bundle.main, Bundle.main.infoDictionary ?? [:])
        var facts = AppFacts()
        facts.bundleID = bundle.bundleIdentifier ?? ""
        facts.infoKeys = Set(info.filter { ($0.value as? String)?.isEmpty != true }.keys)
        facts.querySchemes = info["LSApplicationQueriesSchemes"] as? [String] ?? []
        facts.ownSchemes = AppFacts.schemes(ofURLTypes: info["CFBundleURLTypes"])
        facts.hasSession = self.configuration.hasSession
        (facts.returnHost, facts.returnScheme) = (self.configuration.returnHost, self.configuration.returnScheme)
        if #unavailable(iOS 17.4) { facts.hasHTTPS = false }
        if let file = bundle.url(forResource: "embedded", withExtension: "mobileprovision") {
            facts.associatedDomains = (try? Data(contentsOf: file)).flatMap(AppFacts.associatedDomains(inProfile:))
        }
        return facts
    }

    private static func body(of address: String) async -> Data? {
        guard let url = URL(string: address), let (body, response) = try? await URLSession.shared.data(from: url),
            (response as? HTTPURLResponse)?.statusCode == 200
        else { return nil }
        return body
    }

    private func storeError() async -> String? {
        do {
            switch self.configuration.store {
            case .keychain(let accessGroup):
                try KeychainStores(app: self.configuration.app, accessGroup: accessGroup).check()
            case .files(let folder):
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let file = folder.appendingPathComponent("Check")
                try Data("check".utf8).write(to: file)
                try FileManager.default.removeItem(at: file)
            }
            return nil
        } catch let failure as KeychainFailure {
            return "Keychain \(failure.status)"
        } catch {
            return "\((error as NSError).domain) \((error as NSError).code)"
        }
    }

    private static func keyError() async -> String? {
        let (keys, name) = (SecureEnclaveKeys(prefix: "switchback.diagnosis"), UUID().uuidString)
        do throws(SessionKeyError) {
            _ = try await keys.makeKey(name)
            await keys.removeKeys(name)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
#endif
