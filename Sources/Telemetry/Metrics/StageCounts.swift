import Brokers
import Logins
import Synchronization

/// Counts logins by the stages that they have reached.
///
/// For each app, provider and platform it has one row with a number for each stage and each end. A row is there as a
/// whole, with zeros, before its first login fails, because a counter that begins at 1 hides its first rise from
/// `increase()`.
package final class StageCounts: Sendable {
    /// The logins that a row counts.
    package struct Group: Hashable, Sendable {
        package let app: String
        package let provider: String
        /// Nil if the app named none.
        package let platform: AuthorizationContext.Platform?

        package init(app: String, provider: String, platform: AuthorizationContext.Platform?) {
            self.app = app
            self.provider = provider
            self.platform = platform
        }

        fileprivate static let other = Group(app: MetricFamily.other, provider: MetricFamily.other, platform: nil)
    }

    /// The most rows. 50 apps with 12 providers each, on all platforms, have 2,400.
    package static let limit = 4000

    /// The stages in the order of a row, with the text of their labels around those of the row.
    private static let places = StageCount.Stage.all.map { stage in
        (
            begin: "\(Metric.loginStages.name){stage=\"\(stage.name)\",",
            end: ",reason=\"\(stage.end?.name ?? "none")\"} "
        )
    }
    private static let indices = Dictionary(
        uniqueKeysWithValues: StageCount.Stage.all.enumerated().map { ($0.element, $0.offset) })

    private struct Row {
        /// `app="…",provider="…",platform="…"`.
        let labels: String
        var counts: [Int]

        init(_ group: Group) {
            let (app, provider) = (group.app, group.provider)
            self.labels =
                "app=\"\(ExpositionText.escaped(app, quotes: true))\","
                + "provider=\"\(ExpositionText.escaped(provider, quotes: true))\","
                + "platform=\"\(group.platform?.rawValue ?? "none")\""
            self.counts = Array(repeating: 0, count: StageCount.Stage.all.count)
        }
    }

    private let rows = Mutex<[Group: Row]>([:])

    init(_ registry: MetricsRegistry) {
        registry.write(Metric.loginStages) { [weak self] in self?.lines ?? "" }
    }

    @Sendable package func count(_ reached: StageCount) {
        guard let index = Self.indices[reached.stage] else { return }
        let group = Group(app: reached.app, provider: reached.provider, platform: reached.platform)
        self.rows.withLock { rows in
            let knownGroup = rows[group] != nil || rows.count < Self.limit ? group : .other
            rows[knownGroup, default: Row(knownGroup)].counts[index] += 1
        }
    }

    /// Shows these groups, with zeros until their first login.
    package func show(_ groups: Set<Group>) {
        self.rows.withLock { rows in
            for group in groups where rows[group] == nil && rows.count < Self.limit { rows[group] = Row(group) }
        }
    }

    /// Shows only the apps of these groups with their providers from now on. No login of others is running any more.
    package func retain(_ groups: Set<Group>) {
        let pairs = Set(groups.map { [$0.app, $0.provider] })
        self.rows.withLock { rows in
            rows = rows.filter { pairs.contains([$0.key.app, $0.key.provider]) || $0.key == .other }
        }
    }

    private var lines: String {
        let rows = self.rows.withLock { $0.values.sorted { $0.labels < $1.labels } }
        var text = ""
        for (index, place) in Self.places.enumerated() {
            for row in rows {
                text += place.begin
                text += row.labels
                text += place.end
                text += String(row.counts[index])
                text += "\n"
            }
        }
        return text
    }
}
