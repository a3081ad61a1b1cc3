// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `nb`.
    static let nb = ScreenTexts(
        continueButton: "Fortsett",
        giveUpButton: "Avbryt innloggingen",
        pausedTitle: "Innloggingen er ikke ferdig",
        pausedText: "Du kan fortsette der du var. Ingenting er gått tapt.",
        appMissingTitle: "Appen til ID‑tjenesten åpnet seg ikke",
        appMissingText: "Kanskje er den ikke på denne telefonen. Du kan fortsette uten den.",
        appNeededText: """
            Kanskje er den ikke på denne telefonen. Installer den, avbryt innloggingen her og start på nytt.
            """,
        codeTitle: "Skriv koden",
        codeText: "Siden der du logget inn, viser en kode på seks sifre. Skriv den her. Oppgi den aldri til noen.",
        codeLabel: "Seks sifre",
        wrongCodeText: "Det var ikke koden. Se på siden igjen, og skriv koden som den viser.",
        showPageButton: "Vis siden igjen",
        triesLabel: "Gjenstående forsøk",
        retryingText: "Vi får ikke svar. Vi fortsetter å prøve, og du trenger ikke å gjøre noe.",
        pinTitle: "Skriv PIN-koden din",
        wrongPINText: "Det var ikke PIN-koden din.",
        newPINTitle: "Velg en PIN-kode",
        newPINText: "Den låser opp denne appen. Bruk minst seks sifre, men ikke fødselsdagen din.",
        repeatPINTitle: "Skriv PIN-koden en gang til",
        differentPINText: "De to PIN-kodene var ikke like. Velg en på nytt.",
        easyPINText: "Den PIN-koden er lett å gjette. Velg en annen.",
        biometricsButton: "Bruk ansikt eller finger",
        workingTitle: "Et øyeblikk",
        retryingTitle: "Vi kan ikke fortsette akkurat nå",
        noResponseText: "En tjeneste svarer ikke. Ingenting er gått tapt. Vent litt, og prøv så igjen.",
        referenceLabel: "Referanse")
}
