// The rules for the settings of the audit.

extension ConfigurationValidator {
    mutating func checkAudit() {
        let audit = self.settings.server.audit
        let keys = self.settings.server.keys
        guard self.settings.isGiven(audit.path(\.file)) else {
            if audit.onFull == .drop { self.report(audit.path(\.onFull), "has no effect without audit.file") }
            if audit.renewals == true { self.report(audit.path(\.renewals), "has no effect without audit.file") }
            return
        }
        if keys.audit.isEmpty {
            self.report(
                keys.path(\.audit),
                "is required for audit.file, because the records are signed. Make a key with `switchback keys generate audit`"
            )
        }
        guard let path = audit.file else { return }
        if self.access.isFolder(path) {
            self.report(audit.path(\.file), "\(path) is a folder. Name a file in it")
        } else if let slash = path.lastIndex(of: "/"), slash > path.startIndex,
            !self.access.isFolder(String(path[..<slash])), !path.hasPrefix("/dev/")
        {
            self.report(audit.path(\.file), "there is no folder \(path[..<slash]). Make it, writable by the server")
        }
        if path == self.settings.server.sqlitePath {
            self.report(audit.path(\.file), "is the database of sqlite.path. Name another file")
        }
    }
}
