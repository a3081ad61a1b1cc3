/// What the workbench shows of the server itself.
package struct BenchServer: Sendable {
    let issuer: String
    let log: LoginLog
    let metricsURL: String
    /// In the format of `metricsURL`.
    let metrics: @Sendable () -> [UInt8]

    package init(issuer: String, log: LoginLog, metricsURL: String, metrics: @escaping @Sendable () -> [UInt8]) {
        self.issuer = issuer
        self.log = log
        self.metricsURL = metricsURL
        self.metrics = metrics
    }
}
