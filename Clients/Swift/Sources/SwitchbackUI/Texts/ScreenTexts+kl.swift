// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `kl`.
    static let kl = ScreenTexts(
        continueButton: "Ingerlaqqigit",
        giveUpButton: "Iserneq unitsiguk",
        pausedTitle: "Isernerit naammassinngilaq",
        pausedText: "Ingerlaqqissinnaavutit. Annaasaqartoqanngilaq.",
        appMissingTitle: "Kinaassutsimut app ammanngilaq",
        appMissingText: "Immaqa oqarasuaammi matumaniinngilaq. Taassuma atornagu ingerlaqqissinnaavutit.",
        appNeededText: "Immaqa oqarasuaammi matumaniinngilaq. Ikkuguk, isernerit maani unitsiguk aallarteqqillutillu.",
        codeTitle: "Koodi allaguk",
        codeText: """
            Qupperneq iserfigisat koodimik takutitsivoq, kisitsisit arfinillit. Maani allaguk. Kimulluunniit \
            oqaatiginngisaannaruk.
            """,
        codeLabel: "Kisitsisit arfinillit",
        wrongCodeText: "Koodi taanna kukkuvoq. Qupperneq takeqqiuk, koodilu takutitaa allaguk.",
        showPageButton: "Qupperneq takuteqqiguk",
        triesLabel: "Misiliinerit amiakkut",
        retryingText: "Akissummik pinngilagut. Misileeqqittarpugut. Susariaqanngilatit.",
        pinTitle: "PIN-kodit allaguk",
        wrongPINText: "PIN-kodi taanna kukkuvoq.",
        newPINTitle: "PIN-kodimik toqqaagit",
        newPINText: "Taassuma app una ammassavaa. Kisitsisit minnerpaamik arfinillit atukkit. Inuuissiorfiit atornagu.",
        repeatPINTitle: "PIN-kodi allaqqiguk",
        differentPINText: "PIN-kodit marluk assigiinngillat. Toqqaaqqigit.",
        easyPINText: "PIN-kodi taanna eqqoruminarpoq. Allamik toqqaagit.",
        biometricsButton: "Kiinaq imaluunniit inuaq",
        workingTitle: "Utaqqilaarit",
        retryingTitle: "Maannakkut ingerlaqqissinnaanngilagut",
        noResponseText: "Kiffartuussivik akinngilaq. Annaasaqartoqanngilaq. Utaqqilaarit, kingornalu misileeqqigit.",
        referenceLabel: "Ikiorneqarnissamut normu")
}
