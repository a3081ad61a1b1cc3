/// The schema of the database, as steps from the first version to this one. Never change a released step; add new ones.
///
/// A step keeps everything that the previous version uses: a schema of version n serves binaries of versions n − 1 and
/// n. So you first change the schema, and then replace the servers one after another.
package enum PostgresSchema {
    /// The version that this binary was made for.
    package static let version = Self.steps.count
    /// The oldest binary that can work with this version.
    static let oldestBinary = max(1, Self.version - 1)

    /// An advisory lock, so that two concurrent migrations run one after the other. "SwBk".
    static let lock: Int64 = 0x5377_426B

    static let preparation = """
        CREATE SCHEMA IF NOT EXISTS switchback;
        CREATE TABLE IF NOT EXISTS switchback.schema_version (
            version integer NOT NULL,
            -- The oldest binary that may work with the schema, by the version it was made for.
            oldest_binary integer NOT NULL,
            migrated_at timestamptz NOT NULL DEFAULT now()
        );
        """

    static let steps = [
        Self.tables + Self.loading + Self.insertion + Self.probing + Self.partitions,
        Self.sessions + Self.sessionProbing,
        Self.widePartitions,
        Self.notes + Self.keyRing,
    ]

    private static let tables = """
        CREATE TABLE switchback.login (
            -- The hour of its creation, counted since 1970; selects the partition.
            hour bigint NOT NULL,
            id bytea NOT NULL,
            revision bigint NOT NULL,
            -- Milliseconds since 1970.
            due bigint NOT NULL,
            is_open boolean NOT NULL,
            -- is_open before the last change, so that a change can return by how much the open rows grew.
            was_open boolean NOT NULL DEFAULT false,
            -- The row is only a tombstone.
            is_over boolean NOT NULL,
            -- The revision whose change a process waits for; only a hint, not authenticated.
            awaited bigint,
            bytes bytea NOT NULL,
            PRIMARY KEY (id, hour)
        ) PARTITION BY RANGE (hour);
        CREATE INDEX login_due ON switchback.login (due) WHERE NOT is_over;
        CREATE INDEX login_open ON switchback.login (hour) WHERE is_open;
        -- For hours without a partition of their own, so that no login is lost.
        CREATE TABLE switchback.login_other PARTITION OF switchback.login DEFAULT;

        """

    /// A function caches its plan in the session. Planning the query anew for some thirty partitions takes six times as
    /// long as reading the row (measured).
    private static let loading = """
        CREATE FUNCTION switchback.load_login(wanted bytea) RETURNS SETOF switchback.login
        LANGUAGE plpgsql STABLE ROWS 1 SET search_path = pg_catalog, pg_temp AS $$
        BEGIN
            RETURN QUERY SELECT * FROM switchback.login WHERE id = wanted;
        END $$;

        """

    /// An id must be unique over all partitions, which no index can ensure. So an insert first locks the id. Each
    /// statement of a function sees what was committed before that statement.
    private static let insertion = """
        CREATE FUNCTION switchback.insert_login(
            new_id bytea, new_revision bigint, new_due bigint, new_is_open boolean, new_is_over boolean, new_bytes bytea
        ) RETURNS boolean LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            now_ms bigint := floor(extract(epoch FROM clock_timestamp()) * 1000);
            is_past boolean;
        BEGIN
            PERFORM pg_advisory_xact_lock(hashtextextended(encode(new_id, 'hex'), 1398227563));
            SELECT is_over AND due <= now_ms INTO is_past FROM switchback.login WHERE id = new_id;
            IF FOUND THEN
                IF NOT is_past THEN RETURN false; END IF;
                -- A tombstone past its time that was not dropped yet.
                DELETE FROM switchback.login WHERE id = new_id AND is_over AND due <= now_ms;
            END IF;
            INSERT INTO switchback.login (hour, id, revision, due, is_open, is_over, bytes)
                VALUES (now_ms / 3600000, new_id, new_revision, new_due, new_is_open, new_is_over, new_bytes);
            RETURN true;
        END $$;

        """

    /// Inserts and deletes a row, because only a real write shows that a login could be stored. No login has an id of
    /// eight bytes.
    private static let probing = """
        CREATE FUNCTION switchback.probe() RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            this_hour bigint := floor(extract(epoch FROM clock_timestamp()) / 3600);
            probe_id bytea := int8send((random() * 9e18)::bigint);
        BEGIN
            INSERT INTO switchback.login (hour, id, revision, due, is_open, is_over, bytes)
                VALUES (this_hour, probe_id, 0, 0, false, true, '');
            DELETE FROM switchback.login WHERE id = probe_id AND hour = this_hour;
        END $$;

        """

    /// Runs with the rights of the schema's owner, because a server's role may not change the schema.
    ///
    /// It waits for no lock: if a backup reads the table, the next call does the work.
    private static let partitions = """
        CREATE FUNCTION switchback.keep_partitions(now_ms bigint, OUT made integer, OUT dropped integer)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $$
        DECLARE
            this_hour bigint := now_ms / 3600000;
            part record;
            is_needed boolean;
        BEGIN
            made := 0;
            dropped := 0;
            IF NOT pg_try_advisory_xact_lock(1398227563, 1) THEN RETURN; END IF;
            FOR part IN SELECT h, 'login_' || h AS name FROM generate_series(this_hour, this_hour + 3) AS h LOOP
                CONTINUE WHEN to_regclass('switchback.' || part.name) IS NOT NULL
                    OR EXISTS (SELECT FROM switchback.login_other WHERE hour = part.h);
                BEGIN
                    EXECUTE format(
                        'CREATE TABLE switchback.%I (LIKE switchback.login INCLUDING ALL) WITH (fillfactor = 80)',
                        part.name);
                    EXECUTE format(
                        'ALTER TABLE switchback.login ATTACH PARTITION switchback.%I FOR VALUES FROM (%s) TO (%s)',
                        part.name, part.h, part.h + 1);
                    made := made + 1;
                EXCEPTION WHEN lock_not_available OR duplicate_table OR check_violation THEN NULL;
                END;
            END LOOP;
            FOR part IN
                SELECT c.oid::regclass AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                WHERE i.inhparent = 'switchback.login'::regclass AND c.relname ~ '^login_[0-9]+$'
                    AND substr(c.relname, 7)::bigint < this_hour - 1
            LOOP
                EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE NOT is_over OR due > $1)', part.name)
                    INTO is_needed USING now_ms;
                CONTINUE WHEN is_needed;
                BEGIN
                    EXECUTE format('DROP TABLE %s', part.name);
                    dropped := dropped + 1;
                EXCEPTION WHEN lock_not_available THEN NULL;
                END;
            END LOOP;
            DELETE FROM switchback.login_other WHERE is_over AND due <= now_ms;
        END $$;
        REVOKE ALL ON FUNCTION switchback.keep_partitions FROM PUBLIC;

        """

    /// Returns the privileges that a server's role needs, and no others.
    static func grants(to role: String) -> String {
        let role = Self.quoted(role)
        return """
            GRANT USAGE ON SCHEMA switchback TO \(role);
            GRANT SELECT ON switchback.schema_version TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON switchback.login, switchback.session TO \(role);
            GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA switchback TO \(role);

            """
    }

    /// Records that a step is done.
    static func record(_ version: Int) -> String {
        "INSERT INTO switchback.schema_version (version, oldest_binary) VALUES (\(version), \(max(1, version - 1)));\n"
    }

    /// Quotes an identifier, which cannot be a parameter, by doubling its quotes (PostgreSQL §4.1.1).
    private static func quoted(_ name: String) -> String {
        // By scalars: a quote and a combining mark after it are one character.
        let scalars = name.unicodeScalars.filter { $0 != "\0" }
        return "\"\(scalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined())\""
    }
}
