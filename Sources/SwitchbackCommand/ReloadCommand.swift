import ArgumentParser
import Base
import Glibc

/// `switchback reload`: makes a running server read its configuration again, and says whether the server uses it.
struct ReloadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload",
        abstract: "Make the server on this machine read its configuration again. The exit code is 0 if it uses it.",
        discussion: """
            Sends SIGHUP to the server, and asks its operations port what came of it. If the server refuses the
            configuration, it keeps the old one, this command fails, and the log says why (configuration_refused). The
            address comes from --operations-listen, from SWITCHBACK_OPERATIONS_LISTEN or from the configuration file.

            Example, in a unit of systemd:
              ExecReload=/usr/bin/switchback reload --pid $MAINPID \\
                --config /etc/switchback/switchback.yaml
            """)

    @Option(name: .long, help: "The configuration file. Default: the value of SWITCHBACK_CONFIG.", completion: .file())
    var config: String?

    @Option(name: .long, help: "The address and port, or Unix socket, of the operations port.")
    var operationsListen: String?

    @Option(name: .long, help: "The process id of the server.")
    var pid: Int32

    @Option(name: .long, help: "How many seconds to wait until the server has read it.")
    var timeout = 30

    func run() throws {
        let environment = Environment.variables
        let address = Health.address(flag: self.operationsListen, config: self.config, environment: environment)
        guard let address else { throw OperatorError("no operations address is configured") }
        let before = try self.outcomes(at: address)
        guard self.pid > 0, kill(self.pid, SIGHUP) == 0 else {
            throw OperatorError("process \(self.pid) cannot be told to reload: \(String(cString: strerror(errno)))")
        }
        let end = ContinuousClock.now + .seconds(max(1, self.timeout))
        while ContinuousClock.now < end {
            usleep(50_000)
            let now = try self.outcomes(at: address)
            if now.refused > before.refused {
                throw OperatorError("the configuration was refused, and the old one stays: the log says why")
            }
            if now.applied > before.applied { return }
        }
        throw OperatorError("the server has not read its configuration within \(self.timeout) s")
    }

    /// How often the server has loaded its configuration because of a signal.
    private func outcomes(at address: String) throws(OperatorError) -> (applied: Int, refused: Int) {
        let lines = try Health.get("/metrics", at: address, seconds: 3).split(whereSeparator: \.isNewline)
        func count(_ outcome: String) throws(OperatorError) -> Int {
            let series = "switchback_config_reloads_total{cause=\"signal\",outcome=\"\(outcome)\"} "
            guard let line = lines.first(where: { $0.hasPrefix(series) }), let count = Int(line.dropFirst(series.count))
            else { throw OperatorError("\(address) does not say how often it has reloaded") }
            return count
        }
        return (try count("applied"), try count("refused"))
    }
}
