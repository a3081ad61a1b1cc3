// The secrets of a run, collected where they are made or sent.

import Base
import EndToEndSupport
import Foundation
import HTTPWire
import StrictJSON
import Testing

extension PlantedSecret {
    static func of(_ app: PhoneApp) -> [PlantedSecret] {
        [
            PlantedSecret("a poll secret, as sent", app.secret),
            PlantedSecret("a poll secret", Base64URL.decode(app.secret) ?? []),
        ]
    }

    static func ofTheServer(_ stage: SealedStage) throws -> [PlantedSecret] {
        let file = try Data(contentsOf: URL(filePath: "\(stage.durable.folder)/server.key"))
        let text = String(decoding: file, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return [
            PlantedSecret("the server key's file", text),
            PlantedSecret("the server key", Base64URL.decode(text) ?? Array(Data(base64Encoded: text) ?? file)),
            PlantedSecret("the client secret", FrontedSandbox.clientSecret),
        ]
    }

    static func ofTheRequest(_ url: String) -> [PlantedSecret] {
        let query = URL(string: url)?.query(percentEncoded: true) ?? ""
        let parameters = (try? FormBody.parse(Array(query.utf8))) ?? []
        return parameters.filter { ["nonce", "state", "code_challenge"].contains($0.name) }
            .map { PlantedSecret("the request's \($0.name)", $0.value) }
    }

    static func ofThePerson(_ login: JSON) throws -> [PlantedSecret] {
        let identity = try #require(login["identity"])
        let names = ["subject", "name", "given_name", "family_name", "birth_date"]
        let texts = try names.map { name in
            let text = try #require(identity[name]?.string)
            return PlantedSecret("the person's \(name)", text)
        }
        #expect(identity["national_id"]?["value"]?.string == SealedStage.nationalID)
        return texts + [PlantedSecret("the user's national id", SealedStage.nationalID)]
    }

    /// Secrets in the requests to the token endpoint and in its responses.
    static func ofTheBroker(_ heard: [FaultyFront.ResponseHandle]) throws -> [PlantedSecret] {
        let exchanges = heard.filter { $0.path == "/token" }
        #expect(exchanges.count == 3)
        return try exchanges.flatMap { exchange in
            let request = exchange.request.components(separatedBy: "\r\n\r\n")
            let form = try FormBody.parse(Array((request.last ?? "").utf8))
            let sent = ["code", "code_verifier"].map { name in form.first { $0.name == name }?.value ?? "" }
            let basic = try #require(exchange.request.firstMatch(of: /(?i)authorization: basic ([^\r]+)/)).1
            let body = exchange.answer.components(separatedBy: "\r\n\r\n").last ?? ""
            let answer = try JSON(parsing: Array(body.utf8))
            let idToken = try #require(answer["id_token"]?.string)
            let accessToken = try #require(answer["access_token"]?.string)
            return [
                PlantedSecret("a code", sent[0]), PlantedSecret("a verifier", sent[1]),
                PlantedSecret("the credentials", String(basic)),
                PlantedSecret("an access token", accessToken),
                PlantedSecret("an ID token", idToken),
                PlantedSecret("an ID token's signature", String(idToken.split(separator: ".").last ?? "")),
                PlantedSecret("an ID token's claims", Base64URL.decode(idToken.split(separator: ".")[1]) ?? []),
            ]
        }
    }
}
