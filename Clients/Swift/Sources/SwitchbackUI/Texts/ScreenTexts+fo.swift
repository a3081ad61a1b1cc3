// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `fo`.
    static let fo = ScreenTexts(
        continueButton: "Halt fram",
        giveUpButton: "Ógilda innritanina",
        pausedTitle: "Innritanin er ikki liðug enn",
        pausedText: "Tú kanst halda fram, har tú slapp. Einki er farið til spillis.",
        appMissingTitle: "Appin hjá samleikatænastuni læt seg ikki upp",
        appMissingText: "Kanska er hon ikki á hesi telefonini. Tú kanst halda fram uttan hana.",
        appNeededText: """
            Kanska er hon ikki á hesi telefonini. Legg hana inn, ógilda innritanina her, og byrja av nýggjum.
            """,
        codeTitle: "Skriva koduna",
        codeText: "Síðan í kaganum vísir eina kodu við seks tølum. Skriva hana her. Sig hana ongantíð við nakran.",
        codeLabel: "Seks tøl",
        wrongCodeText: "Tað var ikki rætta kodan. Hygg at síðuni aftur, og skriva koduna, sum hon vísir.",
        showPageButton: "Vís síðuna aftur",
        triesLabel: "Royndir eftir",
        retryingText: "Vit fáa einki svar. Vit halda fram at royna, og tú nýtist ikki at gera nakað.",
        pinTitle: "Skriva PIN-koduna",
        wrongPINText: "Tað var ikki rætta PIN-kodan.",
        newPINTitle: "Vel eina PIN-kodu",
        newPINText: "Hon letur hesa appina upp. Nýt minst seks tøl, men ikki føðingardagin hjá tær.",
        repeatPINTitle: "Skriva PIN-koduna aftur",
        differentPINText: "Tær báðar PIN-kodurnar vóru ikki eins. Vel eina PIN-kodu av nýggjum.",
        easyPINText: "Henda PIN-kodan er løtt at gita. Vel eina aðra.",
        biometricsButton: "Nýt andlit ella fingramerki",
        workingTitle: "Bíða eina løtu",
        retryingTitle: "Vit kunnu ikki halda fram beint nú",
        noResponseText: "Ein tænasta svarar ikki. Einki er farið til spillis. Bíða eina løtu, og royn so aftur.",
        referenceLabel: "Tilvísing")
}
