// The limits of what clients may send, keep open and start.

extension Configuration {
    package struct Limits: Sendable {
        /// In bytes.
        package let head: Int
        package let body: Int
        package let headTime: Duration
        package let bodyTime: Duration
        package let idleTime: Duration
        package let writeTime: Duration
        package let handshakes: Int
        package let connections: Int
        package let connectionsPerAddress: Int
        /// Nil is no limit.
        package let createPerAddressPerMinute: Int?
        package let createPerAppPerMinute: Int?
        package let brokerCallsPerAddressPerMinute: Int?
        package let brokerConnections: Int
        package let pendingLogins: Int

        init(_ top: SettingScope) throws(SettingScope.AbsentError) {
            self.head = try top.need("limits.head", SettingScope.integer)
            self.body = try top.need("limits.body", SettingScope.integer)
            self.headTime = try top.need("limits.head_time", SettingScope.seconds)
            self.bodyTime = try top.need("limits.body_time", SettingScope.seconds)
            self.idleTime = try top.need("limits.idle_time", SettingScope.seconds)
            self.writeTime = try top.need("limits.write_time", SettingScope.seconds)
            self.handshakes = try top.need("limits.handshakes", SettingScope.integer)
            self.connections = try top.need("limits.connections", SettingScope.integer)
            self.connectionsPerAddress = try top.need("limits.connections_per_address", SettingScope.integer)
            self.createPerAddressPerMinute = try top.limit("limits.create_per_address_per_minute")
            self.createPerAppPerMinute = try top.limit("limits.create_per_app_per_minute")
            self.brokerCallsPerAddressPerMinute = try top.limit("limits.broker_calls_per_address_per_minute")
            self.brokerConnections = try top.need("limits.broker_connections", SettingScope.integer)
            self.pendingLogins = try top.need("limits.pending_logins", SettingScope.integer)
        }
    }
}

extension SettingScope {
    /// Returns nil for 0, which is no limit.
    fileprivate func limit(_ name: String) throws(AbsentError) -> Int? {
        let number = try self.need(name, SettingScope.integer)
        return number == 0 ? nil : number
    }
}
