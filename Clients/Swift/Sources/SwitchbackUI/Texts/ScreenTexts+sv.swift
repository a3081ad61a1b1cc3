// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `sv`.
    static let sv = ScreenTexts(
        continueButton: "Fortsätt",
        giveUpButton: "Avbryt inloggningen",
        pausedTitle: "Inloggningen är inte klar än",
        pausedText: "Du kan fortsätta där du slutade. Inget har gått förlorat.",
        appMissingTitle: "Appen för din e‑legitimation öppnades inte",
        appMissingText: "Den kanske inte finns på den här telefonen. Du kan fortsätta utan den.",
        appNeededText: """
            Den kanske inte finns på den här telefonen. Installera den, avbryt inloggningen här och börja om.
            """,
        codeTitle: "Ange koden",
        codeText: "Sidan i webbläsaren visar en kod med sex siffror. Ange koden här. Lämna aldrig ut den till någon.",
        codeLabel: "Sex siffror",
        wrongCodeText: "Koden stämmer inte. Titta på sidan igen och ange koden som visas där.",
        showPageButton: "Visa sidan igen",
        triesLabel: "Antal försök kvar",
        retryingText: "Vi får inget svar. Vi fortsätter att försöka, och du behöver inte göra något.",
        pinTitle: "Ange din PIN-kod",
        wrongPINText: "PIN-koden stämmer inte.",
        newPINTitle: "Välj en PIN-kod",
        newPINText: "Den låser upp den här appen. Använd minst sex siffror, men inte ditt födelsedatum.",
        repeatPINTitle: "Ange PIN-koden igen",
        differentPINText: "De två PIN-koderna stämde inte överens. Välj en PIN-kod på nytt.",
        easyPINText: "Den PIN-koden är lätt att gissa. Välj en annan.",
        biometricsButton: "Använd ansikte eller finger",
        workingTitle: "Ett ögonblick",
        retryingTitle: "Vi kan inte fortsätta just nu",
        noResponseText: "En tjänst svarar inte. Inget har gått förlorat. Vänta en stund och försök sedan igen.",
        referenceLabel: "Referens")
}
