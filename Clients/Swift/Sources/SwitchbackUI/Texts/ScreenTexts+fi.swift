// Made from Public/strings and Clients/texts by Clients/texts/write. Change those, and run it again.

extension ScreenTexts {
    /// The texts of the language `fi`.
    static let fi = ScreenTexts(
        continueButton: "Jatka",
        giveUpButton: "Peruuta kirjautuminen",
        pausedTitle: "Kirjautuminen on kesken",
        pausedText: "Voit jatkaa siitä, mihin jäit. Mitään ei ole kadonnut.",
        appMissingTitle: "Tunnistussovellus ei avautunut",
        appMissingText: "Ehkä sitä ei ole tässä puhelimessa. Voit jatkaa ilman sitä.",
        appNeededText: "Ehkä sitä ei ole tässä puhelimessa. Asenna se, peruuta kirjautuminen täällä ja aloita alusta.",
        codeTitle: "Kirjoita koodi",
        codeText: """
            Selaimessa olevalla sivulla näkyy kuusinumeroinen koodi. Kirjoita se tähän. Älä koskaan kerro sitä \
            kenellekään.
            """,
        codeLabel: "Kuusi numeroa",
        wrongCodeText: "Koodi oli väärä. Katso sivua uudelleen ja kirjoita koodi, joka siinä näkyy.",
        showPageButton: "Näytä sivu uudelleen",
        triesLabel: "Yrityksiä jäljellä",
        retryingText: "Emme saa vastausta. Yritämme edelleen, eikä sinun tarvitse tehdä mitään.",
        pinTitle: "Kirjoita PIN-koodisi",
        wrongPINText: "PIN-koodi oli väärä.",
        newPINTitle: "Valitse PIN-koodi",
        newPINText: "Se avaa tämän sovelluksen lukituksen. Käytä vähintään kuutta numeroa, mutta älä syntymäaikaasi.",
        repeatPINTitle: "Kirjoita PIN-koodi uudelleen",
        differentPINText: "PIN-koodit eivät olleet samat. Valitse PIN-koodi uudelleen.",
        easyPINText: "PIN-koodi on helppo arvata. Valitse toinen.",
        biometricsButton: "Käytä kasvoja tai sormenjälkeä",
        workingTitle: "Odota hetki",
        retryingTitle: "Emme voi jatkaa juuri nyt",
        noResponseText: "Jokin palvelu ei vastaa. Mitään ei ole kadonnut. Odota hetki ja yritä sitten uudelleen.",
        referenceLabel: "Tapahtumatunnus")
}
