// What is wrong with an app.

import Foundation

extension AppFacts {
    /// Everything that would break a login, the worst first.
    var diagnoses: [Diagnosis] {
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
                diagnoses += Self.services.filter { !self.isListed(under: $0) }
                    .map { Diagnosis(.appNotListed, "\($0) at \(host)") }
            }
        }
        if self.hasSession, !self.infoKeys.contains("NSFaceIDUsageDescription") {
            diagnoses.append(Diagnosis(.infoKeyMissing, "NSFaceIDUsageDescription"))
        }
        let present = Set(self.querySchemes.map { $0.lowercased() })
        diagnoses += Set(self.schemesOfApps.map { $0.lowercased() }).subtracting(present).sorted()
            .map { Diagnosis(.querySchemeMissing, $0) }
        return diagnoses
    }
}
