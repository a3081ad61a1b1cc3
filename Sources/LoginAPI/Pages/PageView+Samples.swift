// A page of every kind, for previews.

import Logins

extension PageView {
    /// The login of a sample is of this app and this e-ID.
    static let sampleApp = "sample"
    static let sampleProvider = "sample"
    private static let link = "https://app.example/login"

    static var samples: [PageView] {
        let waitingKinds: [Kind] = [.awaitingReturn, .codeUsedUp]
        let open = waitingKinds.flatMap { kind in
            [
                Self.sample(kind), Self.sample(kind, isEnding: true), Self.sample(kind, isCodeOnly: true),
            ]
        }
        let others: [Kind] = [
            .completing, .completed, .acknowledged, .cancelled, .expired, .over, .unavailable, .busy, .providerOff,
            .openElsewhere, .continuedElsewhere, .linkOpened,
        ]
        // A page about no login has nothing of one.
        let foreign = [.neutral] + Notice.allCases.map { Kind.notice($0) }
        var again = PageView(.unavailable)
        again.canRetry = true
        again.reloadsAfter = 10
        var againLater = again
        againLater.reloadsAfter = 600
        var onWeb = Self.sample(.awaitingReturn)
        onWeb.isOnWeb = true
        return open + [onWeb] + others.map { Self.sample($0) } + Reason.allCases.map { Self.sample(.failed($0)) }
            + foreign.map { PageView($0) } + [again, againLater]
    }

    private static func sample(_ kind: Kind, isCodeOnly: Bool = false, isEnding: Bool = false) -> PageView {
        var view = PageView(kind, reference: "K7QX-2M4P", app: Self.sampleApp, provider: Self.sampleProvider)
        view.isCodeOnly = isCodeOnly
        view.isEnding = isEnding
        if !isCodeOnly { view.returnURL = Self.link }
        if kind == .awaitingReturn || kind == .codeUsedUp && !isCodeOnly {
            view.timeLeft = .seconds(isEnding ? 59 : 299)
        }
        if kind == .awaitingReturn { view.code = "302946" }
        return view
    }
}
