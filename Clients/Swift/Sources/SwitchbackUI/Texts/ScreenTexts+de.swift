// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `de`.
    static let de = ScreenTexts(
        continueButton: "Weiter",
        giveUpButton: "Anmeldung abbrechen",
        pausedTitle: "Ihre Anmeldung ist noch nicht abgeschlossen",
        pausedText: "Sie können dort fortfahren, wo Sie aufgehört haben. Es ist nichts verloren gegangen.",
        appMissingTitle: "Die App für Ihre eID wurde nicht geöffnet",
        appMissingText: "Vielleicht ist sie nicht auf diesem Telefon. Sie können ohne sie fortfahren.",
        appNeededText: """
            Vielleicht ist sie nicht auf diesem Telefon. Installieren Sie die App, brechen Sie die Anmeldung hier ab \
            und beginnen Sie neu.
            """,
        codeTitle: "Code eingeben",
        codeText: """
            Die Seite im Browser zeigt einen Code mit sechs Ziffern. Geben Sie ihn hier ein. Nennen Sie ihn niemandem.
            """,
        codeLabel: "Sechs Ziffern",
        wrongCodeText: """
            Der Code war nicht richtig. Sehen Sie noch einmal auf der Seite nach und geben Sie den Code ein, der dort \
            steht.
            """,
        showPageButton: "Seite noch einmal anzeigen",
        triesLabel: "Verbleibende Versuche",
        retryingText: "Wir erhalten keine Antwort. Wir versuchen es weiter. Sie müssen nichts tun.",
        pinTitle: "PIN eingeben",
        wrongPINText: "Die PIN war nicht richtig.",
        newPINTitle: "PIN wählen",
        newPINText: "Die PIN entsperrt diese App. Verwenden Sie mindestens sechs Ziffern, aber nicht Ihr Geburtsdatum.",
        repeatPINTitle: "PIN noch einmal eingeben",
        differentPINText: "Die beiden PINs stimmten nicht überein. Wählen Sie noch einmal eine PIN.",
        easyPINText: "Diese PIN ist leicht zu erraten. Wählen Sie eine andere.",
        biometricsButton: "Gesicht oder Finger verwenden",
        workingTitle: "Einen Moment bitte",
        retryingTitle: "Wir können im Moment nicht fortfahren",
        noResponseText: """
            Ein Dienst antwortet nicht. Es ist nichts verloren gegangen. Warten Sie einen Moment und versuchen Sie es \
            dann noch einmal.
            """,
        referenceLabel: "Vorgangsnummer")
}
