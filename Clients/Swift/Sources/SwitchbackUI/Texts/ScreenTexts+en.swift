// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `en`.
    static let en = ScreenTexts(
        continueButton: "Continue",
        giveUpButton: "Cancel the login",
        pausedTitle: "Your login is not finished yet",
        pausedText: "You can continue where you left off. Nothing is lost.",
        appMissingTitle: "The app of your e‑ID did not open",
        appMissingText: "Perhaps it is not on this phone. You can continue without it.",
        appNeededText: "Perhaps it is not on this phone. Install it, cancel the login here, and start again.",
        codeTitle: "Type the code",
        codeText: "The page in the browser shows a code of six digits. Type it here. Never tell it to anyone.",
        codeLabel: "Six digits",
        wrongCodeText: "That was not the right code. Look at the page again, and type the code that it shows.",
        showPageButton: "Show the page again",
        triesLabel: "Tries left",
        retryingText: "There is no response. We keep trying, and you do not have to do anything.",
        pinTitle: "Type your PIN",
        wrongPINText: "That was not the right PIN.",
        newPINTitle: "Choose a PIN",
        newPINText: "It unlocks this app. Use at least six digits, and not your date of birth.",
        repeatPINTitle: "Type the PIN again",
        differentPINText: "The two PINs were not the same. Choose a PIN again.",
        easyPINText: "That PIN is easy to guess. Choose another one.",
        biometricsButton: "Use face or fingerprint",
        workingTitle: "One moment",
        retryingTitle: "We cannot continue right now",
        noResponseText: "A service is not responding. Nothing is lost. Wait a moment, then try again.",
        referenceLabel: "Reference")
}
