# What the booted Debian does with the package, after helpers.sh of Tests/UnderSystemd. `login` is made from outside.
login() {
    rm -f /out/login-answered
    touch /out/login-asked
    for _ in $(seq 1 1200); do [ ! -e /out/login-answered ] || break; sleep 0.1; done
    [ -e /out/login-answered ] && [ ! -s /out/login-answered ] || fail "no login: $(cat /out/login-answered)"
}

main_pid() { systemctl show --property MainPID --value switchback.service; }

dpkg -i /in/old.deb
if systemctl is-active switchback.service; then fail "the package starts a service that is not configured"; fi
switchback init /etc/switchback --broker oidc --provider idpyoidc --issuer https://id.example.com --client-id shop-1 \
    --client-secret-file /in/secret --app shop --public-url http://127.0.0.1:8080 >/out/init
sed -i "s|issuer: \"https://id.example.com\"|issuer: \"$(cat /in/issuer)\"\n    allow_insecure_loopback: true|" $config
chown -R switchback: /etc/switchback
drop_in=/etc/systemd/system/switchback.service.d/secret.conf
# `init` of a version before `client_secret_file` writes a drop-in for systemd.
if ! grep -q 'client_secret_file: "broker.secret"' $config; then install -D -m 0644 /etc/switchback/secret.conf $drop_in; fi
systemctl daemon-reload
systemctl enable --now switchback.socket switchback.service
switchback health
login
echo "ok the service starts with its client secret, and a whole login completes"

it_reloads
login
echo "ok a reload of a good configuration succeeds, and one of a wrong configuration fails"
# Where systemd gives the secret, systemd says that it is missing.
[ -e $drop_in ] || it_names_a_missing_secret
before=$(main_pid)
systemctl restart switchback.service
switchback health
[ "$(main_pid)" != "$before" ] || fail "it was not restarted"
login
echo "ok it restarts, and says which secret is missing, if it reads the secret itself"

before=$(main_pid)
sum=$(find /etc/switchback -type f -exec sha256sum {} +)
for package in new old new; do
    dpkg -i /in/$package.deb </dev/null
    systemctl is-active switchback.service switchback.socket
    switchback health
    [ "$(main_pid)" != "$before" ] || fail "$package.deb does not restart the service"
    before=$(main_pid)
    [ "$(find /etc/switchback -type f -exec sha256sum {} +)" = "$sum" ] || fail "$package.deb changes the configuration"
    login
done
echo "ok each upgrade, and the way back, restarts the service with its configuration, and logins complete"

its_journal_is_clean
journalctl --unit switchback --output cat >/out/lines
stray=$(grep -vE '^\{|^(Starting|Started|Stopping|Stopped|Reloading|Reloaded|Reload failed for) |^switchback\.service: |^(error|warning): |^Failed to start ' /out/lines || true)
[ -z "$stray" ] || fail "the journal has lines that are not ours: $stray"
echo "ok the journal has only our lines and systemd's, and no secret"

apt-get purge -y switchback
if systemctl is-active switchback.service switchback.socket; then fail "the service outlives its package"; fi
systemctl daemon-reload
# The drop-in is the operator's.
[ ! -e $drop_in ] || rm -r "${drop_in%/*}"
left=$(find / -xdev \( -path /proc -o -path /in -o -path /out -o -path /run/log -o -path /var/log -o -path /var/lib/dpkg \
    -o -path /var/cache -o -path /var/lib/systemd \) -prune -o -iname '*switchback*' -print)
[ -z "$left" ] || fail "files stay: $left"
id switchback
echo "ok after the purge only the user is left, and the drop-in until it is removed"
