// The part of the schema that keeps the notes of logins, since version 4.

extension PostgresSchema {
    /// A table of its own, so that the upgrade waits for no statement on logins, and servers of the version before need
    /// not know it. It is empty while no notes are kept. Pages have free space, because a note grows with its login, and
    /// then stays on its page without a new index entry (HOT).
    ///
    /// The functions run with the rights of the schema's owner. So a role needs no right to the table, and a server whose
    /// role was made for the version before can switch notes on without failing a login.
    static let notes = """
        CREATE TABLE switchback.note (
            reference text NOT NULL,
            id bytea NOT NULL,
            -- Milliseconds since 1970, a whole hour.
            keep_until bigint NOT NULL,
            bytes bytea NOT NULL,
            PRIMARY KEY (reference, id)
        ) WITH (fillfactor = 70);
        CREATE INDEX note_keep_until ON switchback.note (keep_until);
        -- Adds to the note of a login, if the note then has no more bytes than the limit. Returns true.
        CREATE FUNCTION switchback.add_note(
            login_id bytea, login_reference text, addition bytea, most bigint, until bigint
        ) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            INSERT INTO switchback.note AS old (reference, id, keep_until, bytes)
                VALUES (login_reference, login_id, until, addition)
                ON CONFLICT (reference, id) DO UPDATE SET
                    keep_until = greatest(old.keep_until, excluded.keep_until),
                    bytes = CASE WHEN octet_length(old.bytes) + octet_length(excluded.bytes) <= most
                        THEN old.bytes || excluded.bytes ELSE old.bytes END;
            RETURN true;
        END $$;
        CREATE FUNCTION switchback.load_notes(wanted text) RETURNS TABLE (id bytea, bytes bytea)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT note.id, note.bytes FROM switchback.note WHERE note.reference = wanted ORDER BY note.id;
        $$;
        -- Removes at most so many notes whose time is over. Returns whether there may be more.
        CREATE FUNCTION switchback.remove_notes(now_ms bigint, most bigint) RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            removed bigint;
        BEGIN
            DELETE FROM switchback.note WHERE ctid = ANY (ARRAY(
                SELECT ctid FROM switchback.note WHERE keep_until <= now_ms
                ORDER BY keep_until LIMIT most FOR UPDATE SKIP LOCKED));
            GET DIAGNOSTICS removed = ROW_COUNT;
            RETURN removed = most;
        END $$;

        """
}
