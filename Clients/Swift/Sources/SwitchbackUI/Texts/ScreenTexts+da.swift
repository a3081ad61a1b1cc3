// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `da`.
    static let da = ScreenTexts(
        continueButton: "Fortsæt",
        giveUpButton: "Annuller login",
        pausedTitle: "Dit login er ikke færdigt endnu",
        pausedText: "Du kan fortsætte, hvor du slap. Der er ikke gået noget tabt.",
        appMissingTitle: "Appen til dit eID blev ikke åbnet",
        appMissingText: "Måske er den ikke på denne telefon. Du kan fortsætte uden den.",
        appNeededText: "Måske er den ikke på denne telefon. Installer den, annuller dit login her, og start forfra.",
        codeTitle: "Indtast koden",
        codeText: "Siden i browseren viser en kode på seks cifre. Indtast den her. Del den aldrig med nogen.",
        codeLabel: "Seks cifre",
        wrongCodeText: "Koden var ikke rigtig. Se på siden igen, og indtast den kode, som den viser.",
        showPageButton: "Vis siden igen",
        triesLabel: "Resterende forsøg",
        retryingText: "Vi får ikke noget svar. Vi bliver ved med at prøve, og du behøver ikke gøre noget.",
        pinTitle: "Indtast din pinkode",
        wrongPINText: "Pinkoden var ikke rigtig.",
        newPINTitle: "Vælg en pinkode",
        newPINText: "Den låser denne app op. Brug mindst seks cifre, men ikke din fødselsdato.",
        repeatPINTitle: "Indtast pinkoden igen",
        differentPINText: "De to pinkoder var ikke ens. Vælg en pinkode igen.",
        easyPINText: "Den pinkode er let at gætte. Vælg en anden.",
        biometricsButton: "Brug ansigt eller fingeraftryk",
        workingTitle: "Et øjeblik",
        retryingTitle: "Vi kan ikke fortsætte lige nu",
        noResponseText: "En tjeneste svarer ikke. Der er ikke gået noget tabt. Vent lidt, og prøv så igen.",
        referenceLabel: "Referencenummer")
}
