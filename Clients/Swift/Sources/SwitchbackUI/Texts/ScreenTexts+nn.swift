// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `nn`.
    static let nn = ScreenTexts(
        continueButton: "Hald fram",
        giveUpButton: "Avbryt innlogginga",
        pausedTitle: "Innlogginga er ikkje ferdig enno",
        pausedText: "Du kan halde fram der du slapp. Ingenting er gått tapt.",
        appMissingTitle: "Appen til ID‑tenesta vart ikkje opna",
        appMissingText: "Kanskje er han ikkje på denne telefonen. Du kan halde fram utan han.",
        appNeededText: """
            Kanskje er han ikkje på denne telefonen. Installer han, avbryt innlogginga her og start på nytt.
            """,
        codeTitle: "Skriv inn koden",
        codeText: "Sida i nettlesaren viser ein kode på seks siffer. Skriv han inn her. Gje han aldri til nokon.",
        codeLabel: "Seks siffer",
        wrongCodeText: "Det var ikkje rett kode. Sjå på sida igjen, og skriv inn koden som ho viser.",
        showPageButton: "Vis sida igjen",
        triesLabel: "Attverande forsøk",
        retryingText: "Vi får ikkje svar. Vi held fram med å prøve, og du treng ikkje gjere noko.",
        pinTitle: "Skriv inn PIN-koden din",
        wrongPINText: "Det var ikkje rett PIN-kode.",
        newPINTitle: "Vel ein PIN-kode",
        newPINText: "Han låser opp denne appen. Bruk minst seks siffer, men ikkje fødselsdatoen din.",
        repeatPINTitle: "Skriv inn PIN-koden ein gong til",
        differentPINText: "Dei to PIN-kodane var ikkje like. Vel ein PIN-kode på nytt.",
        easyPINText: "Den PIN-koden er lett å gjette. Vel ein annan.",
        biometricsButton: "Bruk ansikt eller finger",
        workingTitle: "Eit augeblikk",
        retryingTitle: "Vi kan ikkje halde fram akkurat no",
        noResponseText: "Ei teneste svarar ikkje. Ingenting er gått tapt. Vent litt, og prøv så igjen.",
        referenceLabel: "Referanse")
}
