import Brokers
import Logins
import Telemetry
import Testing

/// The metric of the stages of logins.
@Suite struct StageCountsTests {
    private static func lines(_ metrics: ServerMetrics) -> [String] {
        ExpositionTests.text(metrics.registry).split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("switchback_login_stages_total{")
        }
    }

    private static func group(_ app: String, _ provider: String = "mitid") -> StageCounts.Group {
        StageCounts.Group(app: app, provider: provider, platform: .ios)
    }

    @Test func `every series of the configuration is there before the first login`() {
        let metrics = ServerMetrics()
        metrics.loginStages.show([Self.group("shop")])
        let lines = Self.lines(metrics)
        #expect(lines.count == StageCount.Stage.all.count)
        for stage in StageCount.Stage.all {
            let line =
                "switchback_login_stages_total{stage=\"\(stage.name)\",app=\"shop\",provider=\"mitid\","
                + "platform=\"ios\",reason=\"\(stage.end?.name ?? "none")\"} 0"
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func `a count survives a reload that adds an app`() {
        let metrics = ServerMetrics()
        metrics.loginStages.show([Self.group("shop")])
        metrics.loginStages.count(StageCount(.opened, app: "shop", provider: "mitid", platform: .ios))
        metrics.loginStages.show([Self.group("shop"), Self.group("bank")])
        let opened = Self.lines(metrics).filter { $0.contains("stage=\"opened\"") }
        #expect(opened.map { $0.suffix(2) } == [" 0", " 1"])
        metrics.loginStages.retain([Self.group("bank")])
        #expect(Self.lines(metrics).count == StageCount.Stage.all.count)
        #expect(!Self.lines(metrics).contains { $0.contains("shop") })
    }

    @Test func `a platform that an app does not configure adds all its series at once`() {
        let metrics = ServerMetrics()
        metrics.loginStages.show([Self.group("shop")])
        metrics.loginStages.count(StageCount(.created, app: "shop", provider: "mitid", platform: nil))
        let unnamed = Self.lines(metrics).filter { $0.contains("platform=\"none\"") }
        #expect(unnamed.count == StageCount.Stage.all.count)
        #expect(unnamed.filter { $0.hasSuffix(" 1") }.count == 1)
    }

    /// The labels are closed lists, so what a large configuration costs can be said.
    @Test func `fifty apps with twelve providers have a known number of series`() {
        let metrics = ServerMetrics()
        var groups: Set<StageCounts.Group> = []
        for app in 0..<50 {
            for provider in 0..<12 {
                for platform in [nil, .ios, .android, .web] as [AuthorizationContext.Platform?] {
                    groups.insert(
                        StageCounts.Group(app: "app\(app)", provider: "provider\(provider)", platform: platform))
                }
            }
        }
        metrics.loginStages.show(groups)
        #expect(StageCount.Stage.all.count == 24)
        #expect(Self.lines(metrics).count == 50 * 12 * 4 * 24)
    }

    @Test func `made-up names share the series of others`() {
        let metrics = ServerMetrics()
        for number in 0..<(StageCounts.limit + 100) {
            metrics.loginStages.count(StageCount(.created, app: "app\(number)", provider: "mitid", platform: .ios))
        }
        let lines = Self.lines(metrics)
        #expect(lines.count == (StageCounts.limit + 1) * StageCount.Stage.all.count)
        #expect(
            lines.contains(
                "switchback_login_stages_total{stage=\"created\",app=\"other\",provider=\"other\",platform=\"none\","
                    + "reason=\"none\"} 100"))
    }
}
