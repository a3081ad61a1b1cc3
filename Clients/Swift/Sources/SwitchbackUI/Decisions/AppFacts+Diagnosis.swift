// What is wrong with an app.

import Foundation
import SwitchbackClient

extension AppFacts {
    /// How many schemes of `LSApplicationQueriesSchemes` the system reads, from iOS 15 on.
    private static let querySchemeLimit = 50

    /// Everything that would break a login, the worst first.
    var diagnoses: [Diagnosis] {
        var diagnoses: [Diagnosis] = []
        if let storeError { diagnoses.append(Diagnosis(.storageUnusable, storeError)) }
        diagnoses += self.linkDiagnoses
        if self.hasSession {
            if let keyError { diagnoses.append(Diagnosis(.hardwareKeyMissing, keyError)) }
            if !self.infoKeys.contains("NSFaceIDUsageDescription") {
                diagnoses.append(Diagnosis(.infoKeyMissing, "NSFaceIDUsageDescription"))
            }
        }
        let browsers: Set<Surface> =
            self.hasHTTPS || self.returnScheme != nil ? [.authSession, .tab, .system] : [.tab, .system]
        diagnoses += self.surfaces.filter { !$0.value.isEmpty && browsers.isDisjoint(with: $0.value) }.keys.sorted()
            .map { Diagnosis(.browserUnsupported, $0) }
        let querySchemes = self.querySchemes.map { $0.lowercased() }
        if querySchemes.count > Self.querySchemeLimit {
            diagnoses.append(Diagnosis(.tooManyQuerySchemes, querySchemes[Self.querySchemeLimit - 1]))
        }
        let present = Set(querySchemes.prefix(Self.querySchemeLimit))
        diagnoses += Set(self.schemesOfApps.map { $0.lowercased() }).subtracting(present).sorted()
            .map { Diagnosis(.querySchemeMissing, $0) }
        return diagnoses
    }

    /// What is wrong with the links that open the app.
    private var linkDiagnoses: [Diagnosis] {
        var diagnoses: [Diagnosis] = []
        if let host = self.returnHost {
            if let domains = self.associatedDomains {
                let entries = Self.services.map { "\($0):\(host)" }
                // A mode may follow, as in `applinks:app.example?mode=developer`.
                let names = domains.map { String($0.prefix { $0 != "?" }).lowercased() }
                diagnoses += entries.filter { !names.contains($0.lowercased()) }.map {
                    Diagnosis(.domainNotAssociated, $0)
                }
            }
            if self.association == nil {
                diagnoses.append(Diagnosis(.siteUnreadable, host))
            } else {
                let listedServices = Self.services.filter { self.isListed(under: $0, in: self.association) }
                diagnoses += Self.services.filter { !listedServices.contains($0) }
                    .map { Diagnosis(.appNotListed, "\($0) at \(host)") }
                diagnoses +=
                    listedServices
                    .filter { self.fetchedAssociation != nil && !self.isListed(under: $0, in: self.fetchedAssociation) }
                    .map { Diagnosis(.associationNotFetched, "\($0) at \(host)") }
            }
        }
        if let scheme = self.returnScheme, !self.ownSchemes.contains(where: { $0.lowercased() == scheme.lowercased() })
        {
            diagnoses.append(Diagnosis(.urlSchemeMissing, scheme))
        }
        return diagnoses
    }
}
