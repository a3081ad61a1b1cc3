// The partitions of logins since version 3 of the schema.

extension PostgresSchema {
    /// A partition has eight hours, because a plan locks every partition, and only sixteen locks of a session are quick:
    /// the others are in a table that all sessions share. Its name has its last hour, so partitions of one hour, as
    /// version 2 made them, are no exception. A partition begins after the last one that exists, and after rows that
    /// were stored without one.
    static let widePartitions = """
        CREATE OR REPLACE FUNCTION switchback.keep_partitions(now_ms bigint, OUT made integer, OUT dropped integer)
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '100ms' AS $$
        DECLARE
            this_hour bigint := now_ms / 3600000;
            part record;
            is_needed boolean;
        BEGIN
            made := 0;
            dropped := 0;
            IF NOT pg_try_advisory_xact_lock(1398227563, 1) THEN RETURN; END IF;
            FOR part IN
                SELECT 'login_' || h + 7 AS name, h + 8 AS stop,
                    greatest(
                        h,
                        (SELECT max(substr(c.relname, 7)::bigint) + 1
                            FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                            WHERE i.inhparent = 'switchback.login'::regclass AND c.relname ~ '^login_[0-9]+$'
                                AND substr(c.relname, 7)::bigint BETWEEN h AND h + 7),
                        (SELECT max(hour) + 1 FROM switchback.login_other
                            WHERE hour BETWEEN h AND h + 7)) AS start
                FROM (
                    SELECT hour - hour % 8 AS h
                    FROM (VALUES (this_hour), (this_hour + 3)) AS wanted (hour)
                ) AS block
            LOOP
                CONTINUE WHEN part.start >= part.stop;
                BEGIN
                    EXECUTE format(
                        'CREATE TABLE switchback.%I (LIKE switchback.login INCLUDING ALL) WITH (fillfactor = 80)',
                        part.name);
                    EXECUTE format(
                        'ALTER TABLE switchback.login ATTACH PARTITION switchback.%I FOR VALUES FROM (%s) TO (%s)',
                        part.name, part.start, part.stop);
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

        """
}
