// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `kl`.
    static let kl = ScreenTexts(
        continueButton: "Ingerlaqqigit",
        giveUpButton: "Iserneq unitsiguk",
        pausedTitle: "Isernerit suli naammassinngilaq",
        pausedText: "Ingerlaqqissinnaavutit. Annaasaqartoqanngilaq.",
        appMissingTitle: "Kinaassutsimut app ammarneqanngilaq",
        appMissingText: "Immaqa oqarasuaammi matumaniinngilaq. Taanna atornagu ingerlaqqissinnaavutit.",
        appNeededText: "Immaqa oqarasuaammi matumaniinngilaq. Ikkuguk, isernerit maani unitsiguk aallarteqqillutillu.",
        codeTitle: "Koodi allaguk",
        codeText: """
            Browserimi qupperneq koodimik kisitsisinik arfinilinnik takutitsivoq. Maani allaguk. Kimulluunniit \
            oqaatiginngisaannaruk.
            """,
        codeLabel: "Kisitsisit arfinillit",
        wrongCodeText: "Koodi taanna kukkuvoq. Qupperneq takoqqiguk, koodilu takutitaa allaguk.",
        showPageButton: "Qupperneq takuteqqiguk",
        triesLabel: "Misiliinerit amiakkut",
        retryingText: "Akineqanngilagut. Misileeqqittarpugut. Susariaqanngilatit.",
        pinTitle: "PIN-koodit allaguk",
        wrongPINText: "PIN-koodi taanna kukkuvoq.",
        newPINTitle: "PIN-koodimik toqqaagit",
        newPINText: """
            PIN-koodip app una ammassavaa. Kisitsisit minnerpaamik arfinillit atukkit. Ulloq inunngorfiit atoqinagu.
            """,
        repeatPINTitle: "PIN-koodi allaqqiguk",
        differentPINText: "PIN-koodit marluk assigiinngillat. Toqqaaqqigit.",
        easyPINText: "PIN-koodi taanna eqqoriaruminarpoq. Allamik toqqaagit.",
        biometricsButton: "Kiinaq imaluunniit inuaq",
        workingTitle: "Utaqqilaarit",
        retryingTitle: "Maannakkut ingerlaqqissinnaanngilagut",
        noResponseText: "Kiffartuussivik akinngilaq. Annaasaqartoqanngilaq. Utaqqilaarit, kingornalu misileeqqigit.",
        referenceLabel: "Ikiorneqarnissamut normu")
}
