/// What DigiD's app was opened with, once it has been verified.
struct DigiDAsk: Sendable {
    let client: SandboxClient
    let requestID: String
    let contextClass: String
    let returnURL: String
    let relayState: String?
}
