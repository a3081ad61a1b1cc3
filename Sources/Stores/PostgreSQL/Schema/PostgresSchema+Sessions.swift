// The part of the schema that keeps sessions.

extension PostgresSchema {
    /// It has no partitions, because sessions last for months and end at different times. Pages have free space, so
    /// that a change that leaves the indexed columns alone stays on its page and needs no index entry (HOT).
    static let sessions = """
        CREATE TABLE switchback.session (
            id bytea NOT NULL PRIMARY KEY,
            revision bigint NOT NULL,
            -- Milliseconds since 1970.
            due bigint NOT NULL,
            -- An HMAC by which the sessions of a person are found.
            person bytea NOT NULL,
            -- The id of the session key that sealed the row.
            key_id bytea NOT NULL,
            bytes bytea NOT NULL
        ) WITH (fillfactor = 70);
        CREATE INDEX session_due ON switchback.session (due);
        CREATE INDEX session_person ON switchback.session (person);
        CREATE INDEX session_key ON switchback.session (key_id);

        """

    /// Inserts and deletes a row, because only a real write shows that a session could be stored. No session has an id
    /// of eight bytes. It is a function of its own: servers of the version before may lack the right to this table.
    static let sessionProbing = """
        CREATE FUNCTION switchback.probe_session() RETURNS void
        LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            probe_id bytea := int8send((random() * 9e18)::bigint);
        BEGIN
            INSERT INTO switchback.session (id, revision, due, person, key_id, bytes)
                VALUES (probe_id, 0, 9223372036854775807, '', '', '');
            DELETE FROM switchback.session WHERE id = probe_id;
        END $$;

        """
}
