/// What a kind's rule has found in the settings of a provider or of its broker.
package struct KindProblem: Equatable, Sendable {
    package enum Owner: Sendable {
        case broker
        case provider
    }

    package let owner: Owner
    /// The name of the setting.
    package let setting: String
    /// Continues the sentence that begins with the setting's path.
    package let message: String
    /// True for something that works, but that an operator should look at.
    package let isWarning: Bool

    package init(_ owner: Owner, _ setting: String, _ message: String, isWarning: Bool = false) {
        self.owner = owner
        self.setting = setting
        self.message = message
        self.isWarning = isWarning
    }
}
