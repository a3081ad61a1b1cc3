// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `nb`.
    static let nb = ScreenTexts(
        continueButton: "Fortsett",
        giveUpButton: "Avbryt innloggingen",
        pausedTitle: "Innloggingen er ikke ferdig ennå",
        pausedText: "Du kan fortsette der du slapp. Ingenting er gått tapt.",
        appMissingTitle: "Appen til ID‑tjenesten ble ikke åpnet",
        appMissingText: "Kanskje er den ikke på denne telefonen. Du kan fortsette uten den.",
        appNeededText: """
            Kanskje er den ikke på denne telefonen. Installer den, avbryt innloggingen her og start på nytt.
            """,
        codeTitle: "Skriv inn koden",
        codeText: "Siden i nettleseren viser en kode på seks sifre. Skriv den inn her. Oppgi den aldri til noen.",
        codeLabel: "Seks sifre",
        wrongCodeText: "Det var ikke riktig kode. Se på siden igjen, og skriv inn koden som den viser.",
        showPageButton: "Vis siden igjen",
        triesLabel: "Gjenstående forsøk",
        retryingText: "Vi får ikke svar. Vi fortsetter å prøve, og du trenger ikke å gjøre noe.",
        pinTitle: "Skriv inn PIN-koden din",
        wrongPINText: "Det var ikke riktig PIN-kode.",
        newPINTitle: "Velg en PIN-kode",
        newPINText: "Den låser opp denne appen. Bruk minst seks sifre, men ikke fødselsdatoen din.",
        repeatPINTitle: "Skriv inn PIN-koden en gang til",
        differentPINText: "De to PIN-kodene var ikke like. Velg en PIN-kode på nytt.",
        easyPINText: "Den PIN-koden er lett å gjette. Velg en annen.",
        biometricsButton: "Bruk ansikt eller finger",
        workingTitle: "Et øyeblikk",
        retryingTitle: "Vi kan ikke fortsette akkurat nå",
        noResponseText: "En tjeneste svarer ikke. Ingenting er gått tapt. Vent litt, og prøv så igjen.",
        referenceLabel: "Referanse")
}
