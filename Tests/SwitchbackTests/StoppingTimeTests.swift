import ConfigurationSamples
import ServerConfiguration
import Switchback
import TestSupport
import Testing

/// Everything that stops the process waits until it has stopped: the unit, the image, Kubernetes and the docs agree.
@Suite struct StoppingTimeTests {
    /// The default of `terminationGracePeriodSeconds`.
    private static let kubernetes = 30

    private static let container = "docs/how-to/in-a-container.md"
    private static let deployment = "Deploy/kustomize/base/deployment.yaml"
    private static let others = ["Deploy/chart/values.yaml", "Deploy/compose.yaml", "Config/switchback.service"]

    private static let files =
        ["README.md", "Dockerfile"] + ["docs", "Config", "Deploy"].flatMap { SourceFile.paths(below: $0) }

    private static var timeout: Regex<(Substring, Substring)> {
        /(?:--stop-timeout[ =]|(?:terminationGracePeriodSeconds|stop_grace_period): |TimeoutStopSec=)([0-9]+)/
    }

    private static var whole: Int {
        get throws {
            let delay = try #require(SettingTable.all.first { $0.pattern.description == "drain_delay" })
            guard case .value(.integer(let seconds)) = delay.presence else { return 0 }
            return seconds + Int(SwitchbackServer.stoppingTime.components.seconds)
        }
    }

    @Test func `the process has stopped before Kubernetes kills it`() throws {
        #expect(try Self.whole < Self.kubernetes)
        #expect(try Self.whole > 20, "an exchange that begins late takes ten seconds, and clients have twelve before")
    }

    /// Returns each timeout with its file.
    private static func timeouts() throws -> [(file: String, seconds: Int)] {
        try Self.files.flatMap { file in
            try SourceFile.text(file)
                .matches(of: Self.timeout)
                .map { (file, Int($0.1) ?? 0) }
        }
    }

    @Test func `everything that stops the process waits as long as Kubernetes`() throws {
        let timeouts = try Self.timeouts()
        #expect(timeouts.allSatisfy { $0.seconds == Self.kubernetes }, "\(timeouts)")
        let expected = Set([Self.container, "Dockerfile", Self.deployment] + Self.others)
        #expect(Set(timeouts.map(\.file)) == expected)
    }

    @Test func `the setting says how long a stop lasts`() throws {
        let setting = try #require(SettingTable.all.first { $0.pattern.description == "drain_delay" })
        let seconds = SwitchbackServer.stoppingTime.components.seconds
        #expect(setting.explanation.contains("up to \(seconds) seconds later"))
        for file in ["docs/how-to/run-it.md", "docs/how-to/kubernetes.md", Self.deployment] + Self.others {
            let text = try SourceFile.text(file).replacing("\n", with: " ")
            #expect(text.contains("\(seconds) seconds"), "\(file)")
        }
    }

    /// The operations port is the same wherever it is named, and a kubelet can reach it.
    /// Sources: K12.
    @Test func `operations of the image are reachable`() throws {
        let image = try SourceFile.text("Dockerfile")
        let listen = try #require(
            NamedVariable.all(in: image).first { $0.name == "SWITCHBACK_OPERATIONS_LISTEN" }?.value)
        #expect(listen == "0.0.0.0:8082")
        #expect(image.contains("EXPOSE 8080 8082\n"))
        #expect(image.contains("CMD [\"/usr/bin/switchback\", \"health\"]"))
        #expect(try SourceFile.text(Self.deployment).contains("name: operations\n              containerPort: 8082\n"))
        #expect(try SourceFile.text("Config/switchback.yaml").contains("operations_listen: 127.0.0.1:8082\n"))
        #expect(try SourceFile.text("Config/switchback.socket").contains("ListenStream=127.0.0.1:8082\n"))
    }
}
