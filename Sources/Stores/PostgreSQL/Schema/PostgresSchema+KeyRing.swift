// The part of the schema that keeps the ring of keys.

extension PostgresSchema {
    /// One row, or none. The functions run with the rights of the schema's owner, as for notes: a role needs no right to
    /// the table.
    static let keyRing = """
        CREATE TABLE switchback.key_ring (
            one boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one),
            version bigint NOT NULL,
            bytes bytea NOT NULL
        );
        CREATE FUNCTION switchback.load_key_ring() RETURNS TABLE (version bigint, bytes bytea)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
            SELECT ring.version, ring.bytes FROM switchback.key_ring AS ring;
        $$;
        -- Stores the row if the stored version is this one; null means that there is no row. Returns whether it did.
        CREATE FUNCTION switchback.store_key_ring(former bigint, new_version bigint, new_bytes bytea) RETURNS boolean
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            IF former IS NULL THEN
                INSERT INTO switchback.key_ring AS ring (version, bytes) VALUES (new_version, new_bytes)
                    ON CONFLICT (one) DO NOTHING;
            ELSE
                UPDATE switchback.key_ring AS ring SET version = new_version, bytes = new_bytes
                    WHERE ring.version = former;
            END IF;
            RETURN FOUND;
        END $$;

        """
}
