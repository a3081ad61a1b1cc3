# What the machine of follow.py checks between the blocks of the page.
set -euo pipefail
export LC_ALL=C
cd /in/source
config=/etc/switchback/switchback.yaml

end() {
    code=$?
    [ -n "${EMULATED:-}" ] || journalctl --unit switchback --output cat >/out/journal || true
    echo "$code" >/out/code
    [ -n "${EMULATED:-}" ] || systemctl --no-block poweroff
}
trap end EXIT
trap 'echo "line $LINENO fails: $BASH_COMMAND"' ERR

fail() { echo "FAIL: $*"; exit 1; }

# It reads to the end, so that journalctl can write all of it.
the_journal_has() { journalctl --unit switchback --output cat | grep -cF "$1"; }

# The steps that `init` prints: the secret, and `check`.
follow_what_init_says() {
    local secret
    secret=$(sed -n 's/.*Write the client secret to \(.*\), and run chmod 0600 on it\./\1/p' /out/init)
    if [ -n "$secret" ]; then
        if switchback check --config $config >/out/check 2>&1; then fail "check misses no secret"; fi
        grep -qF "($secret): " /out/check || fail "check does not name its file: $(cat /out/check)"
        (umask 077 && cp /in/secret "$secret")
        chmod 0600 "$secret"
        chown switchback: "$secret"
    fi
    switchback check --config $config | tail -1 | grep '^Ready: 0 errors'
}

get() {
    exec 3<>/dev/tcp/127.0.0.1/"$1"
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$2" >&3
    cat <&3
    exec 3>&-
}

it_serves() {
    systemctl is-active switchback.service
    switchback health
    get 8080 /v1/providers | grep -o '"id":"[a-z_]*"'
    systemctl restart switchback.service
    switchback health
}

it_reloads() {
    [ -z "${EMULATED:-}" ] || return 0
    systemctl reload switchback
    cp $config /root/good.yaml
    echo 'no_such_setting: 1' >>$config
    if systemctl reload switchback; then fail "a refused configuration reloads"; fi
    switchback health
    systemctl is-active switchback.service
    the_journal_has '"event":"configuration_refused"'
    cat /root/good.yaml >$config
    systemctl reload switchback
}

it_names_a_missing_secret() {
    [ -z "${EMULATED:-}" ] && ls /etc/switchback/*.secret >/dev/null 2>&1 || return 0
    mkdir /root/secrets
    mv /etc/switchback/*.secret /root/secrets
    if systemctl restart switchback.service; then fail "it starts without its secret"; fi
    the_journal_has 'client_secret_file: No such file'
    mv /root/secrets/* /etc/switchback
    systemctl reset-failed switchback.service
    systemctl restart switchback.service
    switchback health
}

its_journal_is_clean() {
    [ -z "${EMULATED:-}" ] || return 0
    if journalctl --unit switchback --output cat | grep 'thread priority'; then fail "Dispatch writes into the journal"; fi
    if grep -rF 'a client secret for a test' /var/log/journal /run/log/journal; then fail "the secret is in the journal"; fi
}

it_is_gone() {
    if id switchback 2>/dev/null; then fail "the user stays"; fi
    local left
    left=$(find / -xdev \( -path /proc -o -path /in -o -path /out -o -path /run/log -o -path /var/log \) -prune \
        -o -iname '*switchback*' -print)
    [ -z "$left" ] || fail "files stay: $left"
}

# Without systemd: starts the command of the unit, with its user, variables and credentials.
if [ -n "${EMULATED:-}" ]; then
    unit_values() {
        # Without a drop-in there is no second file.
        { cat /etc/systemd/system/switchback.service /etc/systemd/system/switchback.service.d/*.conf 2>/dev/null || true; } \
            | sed -n "s/^$1=//p"
    }
    stop_unit() {
        [ ! -e /run/switchback.pid ] || { kill "$(cat /run/switchback.pid)"; while kill -0 "$(cat /run/switchback.pid)" 2>/dev/null; do sleep 0.1; done; }
        rm -rf /run/switchback.pid /run/credentials/switchback.service
    }
    start_unit() {
        local user folder=/run/credentials/switchback.service credential variables=() line
        user=$(unit_values User)
        stop_unit
        install -d -o "$user" -m 0700 /var/lib/switchback "$folder"
        while IFS= read -r credential; do
            [ -z "$credential" ] || install -o "$user" -m 0400 "${credential#*:}" "$folder/${credential%%:*}"
        done <<<"$(unit_values LoadCredential)"
        while IFS= read -r line; do [ -z "$line" ] || variables+=("${line//%d/$folder}"); done <<<"$(unit_values Environment)"
        # shellcheck disable=SC2046
        setpriv --reuid "$user" --regid "$user" --clear-groups env "${variables[@]}" $(unit_values ExecStart) >>/out/journal 2>&1 &
        echo $! >/run/switchback.pid
        for _ in $(seq 1 100); do switchback health 2>/dev/null && return 0; sleep 0.1; done
        fail "the unit's command does not become ready"
    }
    systemctl() {
        case $1 in
        enable | restart) start_unit ;;
        disable) stop_unit ;;
        is-active) kill -0 "$(cat /run/switchback.pid)" ;;
        daemon-reload) ;;
        *) fail "systemctl $* cannot be emulated" ;;
        esac
    }
fi
