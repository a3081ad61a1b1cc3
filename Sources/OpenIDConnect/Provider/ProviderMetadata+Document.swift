/// Reads the members of a discovery document by their types.
import StrictJSON

extension ProviderMetadata {
    struct Document {
        private let members: JSON.Object
        private let issuer: EndpointURL
        private let policy: EndpointPolicy

        init(parsing body: [UInt8], issuer: EndpointURL, policy: EndpointPolicy) throws(Failure) {
            let limits = JSON.Limits(byteCount: ProviderResponse.sizeLimit)
            guard let json = try? JSON(parsing: body, limits: limits), let members = json.object else {
                throw .notAnObject
            }
            self.members = members
            self.issuer = issuer
            self.policy = policy
        }

        private func value(_ member: Member) -> JSON? {
            member.rawValue.split(separator: ".").reduce(.object(self.members)) { $0?[String($1)] }
        }

        func text(_ member: Member) throws(Failure) -> String {
            guard let value = self.value(member) else { throw .missing(member) }
            guard let text = value.string else { throw .wrongType(member) }
            return text
        }

        func endpoint(_ member: Member) throws(Failure) -> EndpointURL {
            let text = try self.text(member)
            do throws(EndpointPolicy.Refusal) {
                return try self.policy.endpoint(text, of: self.issuer)
            } catch {
                throw .refused(member, error)
            }
        }

        func optionalEndpoint(_ member: Member) throws(Failure) -> EndpointURL? {
            self.value(member) == nil ? nil : try self.endpoint(member)
        }

        func list(_ member: Member) throws(Failure) -> [String]? {
            guard let value = self.value(member) else { return nil }
            guard let elements = value.array else { throw .wrongType(member) }
            let texts = elements.compactMap(\.string)
            guard texts.count == elements.count else { throw .wrongType(member) }
            return texts
        }

        func flag(_ member: Member) throws(Failure) -> Bool? {
            guard let value = self.value(member) else { return nil }
            guard let flag = value.bool else { throw .wrongType(member) }
            return flag
        }

        /// Nothing, or an object.
        func checkObject(_ member: Member) throws(Failure) {
            guard self.value(member).map({ $0.object != nil }) ?? true else { throw .wrongType(member) }
        }
    }
}
