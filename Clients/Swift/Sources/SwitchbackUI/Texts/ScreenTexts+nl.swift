// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `nl`.
    static let nl = ScreenTexts(
        continueButton: "Doorgaan",
        giveUpButton: "Inloggen annuleren",
        pausedTitle: "Het inloggen is nog niet afgerond",
        pausedText: "U kunt verdergaan waar u gebleven was. Er is niets verloren gegaan.",
        appMissingTitle: "De app van uw inlogmiddel ging niet open",
        appMissingText: "Misschien staat die app niet op deze telefoon. U kunt zonder die app verdergaan.",
        appNeededText: """
            Misschien staat die app niet op deze telefoon. Installeer die app, annuleer het inloggen hier en begin \
            opnieuw.
            """,
        codeTitle: "Typ de code",
        codeText: """
            Op de pagina in de browser staat een code van zes cijfers. Typ de code hier. Geef de code nooit aan iemand \
            anders.
            """,
        codeLabel: "Zes cijfers",
        wrongCodeText: "Die code klopt niet. Kijk nog eens op de pagina en typ de code die daar staat.",
        showPageButton: "De pagina weer tonen",
        triesLabel: "Resterende pogingen",
        retryingText: "We krijgen geen antwoord. We blijven het proberen. U hoeft niets te doen.",
        pinTitle: "Typ uw pincode",
        wrongPINText: "Die pincode klopt niet.",
        newPINTitle: "Kies een pincode",
        newPINText: "Hiermee ontgrendelt u deze app. Gebruik minstens zes cijfers, maar niet uw geboortedatum.",
        repeatPINTitle: "Typ de pincode nog een keer",
        differentPINText: "De twee pincodes waren niet gelijk. Kies opnieuw een pincode.",
        easyPINText: "Deze pincode is makkelijk te raden. Kies een andere.",
        biometricsButton: "Gezicht of vinger gebruiken",
        workingTitle: "Een ogenblik",
        retryingTitle: "We kunnen nu niet verdergaan",
        noResponseText: "Een dienst reageert niet. Er is niets verloren gegaan. Wacht even en probeer het dan opnieuw.",
        referenceLabel: "Referentie")
}
