/// A statement with its parameters. It has no name and is a transaction of its own, so any pooler may carry it.
struct PostgresStatement: Sendable {
    let sql: String
    let parameters: [PostgresParameter]

    init(_ sql: String, _ parameters: [PostgresParameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}
