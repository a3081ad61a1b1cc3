import Foundation
import Generated

/// It reads responses with the models of the generated package: a schema, a tab and JSON on each line.
@main
enum Reader {
    /// The classes of the schemas that a response has.
    static let models: [String: any (Codable & Sendable).Type] = [
        "AuthorizationServer": AuthorizationServer.self, "Discovery": Discovery.self,
        "EndedSessions": EndedSessions.self, "KeySet": KeySet.self, "Login": Login.self, "OAuthError": OAuthError.self,
        "Problem": Problem.self, "Providers": Providers.self, "SessionTokens": SessionTokens.self,
        "Sessions": Sessions.self,
    ]

    static func main() {
        while let line = readLine() {
            let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
            do {
                guard parts.count == 2, let model = Self.models[parts[0]] else { throw UnknownSchemaError() }
                print("ok\t" + (try Self.text(Data(parts[1].utf8), as: model)))
            } catch {
                print("error\t" + String(describing: error).replacing("\n", with: " "))
            }
        }
    }

    static func text<Model: Codable>(_ body: Data, as model: Model.Type) throws -> String {
        let helper = CodableHelper()
        let encoder = helper.jsonEncoder
        // One line, since the helper's own form has many.
        encoder.outputFormatting = []
        return String(decoding: try encoder.encode(helper.jsonDecoder.decode(model, from: body)), as: UTF8.self)
    }
}

/// The table of models lacks this schema.
struct UnknownSchemaError: Error {}
