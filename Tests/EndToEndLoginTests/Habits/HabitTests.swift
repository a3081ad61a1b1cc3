import Base
import Foundation
import OpenIDConnect
import ServerConfiguration
import StrictJSON
import TestSupport
import Testing

@testable import SwitchbackCommand

/// The matrix of habits: each OpenID provider that `init` knows is played with the configuration that `init` writes for
/// it. Tests/ProviderHabits has the habits, and says where they come from.
@Suite(.blocking) struct HabitTests {
    static let usable = ProviderHabit.all.filter { KnownProvider.named($0.name)?.refusal == nil }
    static let refused = ProviderHabit.all.filter { KnownProvider.named($0.name)?.refusal != nil }

    @Test func `every known provider has its habits`() {
        #expect(ProviderHabit.names == KnownProvider.all.map(\.name).sorted())
        #expect(KnownProvider.all.count >= 40)
    }

    /// With the provider's real addresses: discovery is accepted, and each host of its endpoints is configured.
    @Test(arguments: usable) func `a provider's discovery fits what init writes`(_ habit: ProviderHabit) throws {
        let plan = try HabitStage.plan(habit, as: habit.name, folder: "/etc/switchback")
        let configuration = try plan.check()
        let broker = try #require(configuration.brokers.first)
        let document = try #require(try habit.published()["discovery"])
        _ = try ProviderMetadata(
            parsing: document.encoded(), issuer: broker.issuer, policy: configuration.endpoints(of: broker))
    }

    @Test(arguments: usable) func `a usable provider logs its users in`(_ habit: ProviderHabit) async throws {
        let stage = try await HabitStage(habit, as: habit.name)
        try await Self.play(stage)
        await stage.stop()
    }

    private static func play(_ stage: HabitStage) async throws {
        let habits = stage.provider.habit
        let warnings = habits["check"]?.array?.compactMap(\.string) ?? []
        #expect(try await stage.findings() == warnings.map { "warning: broker: \($0)" }, "check --online")

        let login = try await stage.logIn()
        #expect(login["status"]?.string == "completed", "\(login["reason"] ?? .null) \(stage.log.text.suffix(900))")
        #expect(login["identity"]?["subject"]?.string == stage.provider.subject)
        for name in habits["expect"]?.object?.names ?? [] {
            #expect(login["identity"]?[name] == habits["expect"]?[name], "\(name)")
        }

        let cancelled = try await stage.logIn(.cancels)
        if stage.provider.keepsCancelled {
            #expect(cancelled["final"]?.bool == false, "nothing came back")
        } else {
            let cancelReason = habits["cancel_reason"]?.string ?? "user_cancelled"
            #expect(cancelled["reason"]?["code"]?.string == cancelReason, "\(stage.log.text.suffix(900))")
        }

        let start = stage.log.text.utf8.count
        stage.provider.refuseCodes(true)
        let failed = try await stage.logIn()
        stage.provider.refuseCodes(false)
        #expect(failed["reason"]?["code"]?.string == habits["token_error"]?["reason"]?.string ?? "broker_error")
        let errors = try await stage.log.brokerErrors(after: start, expected: 1)
        #expect(errors.contains(habits["token_error"]?["log"]?.string ?? "token_error_invalid_grant"), "\(errors)")

        // Two requests for keys are at least five seconds apart.
        stage.provider.rotate()
        stage.clock.advance(by: .seconds(6))
        let rotated = try await stage.logIn()
        #expect(
            rotated["status"]?.string == "completed",
            "rotation: \(rotated["reason"] ?? .null) \(stage.log.text.suffix(900))")

        #expect(stage.provider.problems == [])
    }

    /// `init` says why. With a configuration for any other provider, `check` and the log say it too.
    @Test(arguments: refused) func `an unusable provider is refused in words`(_ habit: ProviderHabit) async throws {
        let words = try #require(try habit.known().refusal)
        #expect(InitQuestion.provider.problem(of: habit.name) == "cannot be \(habit.name): \(words)")
        #expect(throws: OperatorError.self) { try HabitStage.plan(habit, as: habit.name, folder: "/etc/switchback") }

        let outcome = try #require(try habit.published()["outcome"])
        if let problem = outcome["init"]?.string {
            let error = #expect(throws: ConfigurationError.self) {
                try HabitStage.plan(habit, as: KnownProvider.other, folder: "/etc/switchback")
            }
            #expect(error.map { "\($0)".contains(problem) } == true)
            return
        }
        let stage = try await HabitStage(habit, as: KnownProvider.other)
        if let line = outcome["check"]?.string {
            let findings = try await stage.findings()
            #expect(findings.contains { $0.hasPrefix("error: broker: \(line)") }, "\(findings)")
        }
        let start = stage.log.text.utf8.count
        let login = try await stage.logIn()
        #expect(login["status"]?.string != "completed")
        #expect(login["reason"]?["code"]?.string == outcome["reason"]?.string)
        if let problem = outcome["problem"]?.string { #expect(stage.provider.problems.contains(problem)) }
        if let error = outcome["log"]?.string {
            let errors = try await stage.log.brokerErrors(after: start, expected: 1)
            #expect(errors.contains(error), "\(errors)")
        }
        await stage.stop()
    }
}
