import { expect, test } from "vitest";
import { findSecrets } from "./find-secrets";

const valuesIn = (text: string) => findSecrets(text).map(({ value }) => value);

test.each([
  ["zip -r -P swordfish a.zip folder", "swordfish"],
  ["zip -PS3cret!pw9 a.zip b", "S3cret!pw9"],
  ["cd x && /usr/bin/unzip -P 'sword fish' a.zip", "sword fish"],
  ["7z a -pswordfish -mhe=on a.7z folder", "swordfish"],
  ["7za x a.7z -pS3cret!pw9", "S3cret!pw9"],
  ["rar a -hpswordfish a.rar b", "swordfish"],
  ["ssh-keygen -t ed25519 -N swordfish -f id", "swordfish"],
  ["ssh-keygen -p -f id -P '' -N 'sword fish'", "sword fish"],
  ["sshpass -p swordfish ssh db", "swordfish"],
  ["sshpass -p'sword fish' ssh db", "sword fish"],
  ["htpasswd -b /etc/nginx/.htpasswd anna swordfish", "swordfish"],
  ["htpasswd -nbB anna swordfish > users", "swordfish"],
  ["htpasswd -nbBC 10 anna S3cret!pw9", "S3cret!pw9"],
  ["openssl passwd -6 -salt xyz swordfish", "swordfish"],
  ["openssl enc -aes-256-cbc -in a -k S3cret!pw9", "S3cret!pw9"],
  ["echo swordfish | openssl passwd -6 -stdin", "swordfish"],
  ["echo swordfish | gpg --batch --passphrase-fd 0 -c a", "swordfish"],
  ["gpg --batch --passphrase 'sword fish swims' -c a", "sword fish swims"],
  ["influx -host db -username app -password S3cret!pw9", "S3cret!pw9"],
  [
    "influx write -b shop -t aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b== 'm v=1'",
    "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b==",
  ],
  ["rclone config create nas sftp host nas user anna pass S3cret!pw9", "S3cret!pw9"],
  ["rclone obscure S3cret!pw9", "S3cret!pw9"],
  ["smbclient //nas/share -U anna%S3cret!pw9 -c ls", "S3cret!pw9"],
  ["lftp -u anna,S3cret!pw9 sftp://nas", "S3cret!pw9"],
  ["helm registry login -u dev -p S3cret!pw9 registry.test", "S3cret!pw9"],
  ["az login --service-principal -u app -p S3cret!pw9 --tenant t", "S3cret!pw9"],
  ["oc login -u dev -p S3cret!pw9 https://cluster.test", "S3cret!pw9"],
  ["kubectl create secret generic db --from-literal=pin=swordfish", "swordfish"],
  ["curl -u anna:'sword fish 1!' https://a", "sword fish 1!"],
  ["cqlsh db -u app -p S3cret!pw9", "S3cret!pw9"],
  ["ipmitool -H bmc -U admin -P S3cret!pw9 chassis status", "S3cret!pw9"],
  ["tsql -S db -U app -P S3cret!pw9", "S3cret!pw9"],
  ["snmpwalk -v3 -l authPriv -u app -A swordfish host", "swordfish"],
  ["keytool -list -keystore a.jks -storepass swordfish", "swordfish"],
  ["echo swordfish | kinit anna", "swordfish"],
  ["echo 'sword fish' | su - anna -c id", "sword fish"],
  ["kinit anna <<< swordfish", "swordfish"],
])("a command's secret argument is found: %s", (text, secret) => {
  expect(valuesIn(text)).toEqual(secret === null ? [] : [secret]);
});

test.each([
  ["SET PASSWORD FOR 'app'@'%' = 'S3cret!pw9';", "S3cret!pw9"],
  ["SET PASSWORD FOR app@localhost = PASSWORD('S3cret!pw9')", "S3cret!pw9"],
  ["CREATE USER app IDENTIFIED BY 'swordfish';", "swordfish"],
  ["ALTER USER 'app'@'%' IDENTIFIED WITH mysql_native_password BY 'S3cret!pw9'", "S3cret!pw9"],
  ["create user app identified with 'caching_sha2_password' by 'swordfish'", "swordfish"],
  ["ALTER USER app IDENTIFIED BY S3cret#pw9;", "S3cret#pw9"],
  ["UPDATE users SET password2 = 'S3cret!pw9'", "S3cret!pw9"],
  ["DB_PASSWORD_2=S3cret!pw9", "S3cret!pw9"],
  ["{'password1': 'S3cret!pw9'}", "S3cret!pw9"],
  ["OPENAI_API_KEY_2=a8f5f167f44f4964e6c998dee827110c", "a8f5f167f44f4964e6c998dee827110c"],
  ['network={\n  ssid="Shop"\n  psk="sword fish swims"\n}', "sword fish swims"],
  ["[wifi-security]\nkey-mgmt=wpa-psk\npsk=swordf1sh", "swordf1sh"],
  ["nmcli con modify shop wifi-sec.psk S3cret!pw9", "S3cret!pw9"],
  ["nmcli dev wifi connect Shop password swordfish", "swordfish"],
  ["wpa_passphrase Shop swordfish", "swordfish"],
  ['10.0.0.1 10.0.0.2 : PSK "swordfish"', "swordfish"],
  ["    Key Content            : swordfish", "swordfish"],
  ["<keyMaterial>swordfish</keyMaterial>", "swordfish"],
  ["[nas]\ntype = sftp\npass = aB3dE5fG7hI9jK1lM3nO5pQ7rS9\n", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9"],
  ["     3→pass = aB3dE5fG7hI9jK1lM3nO5pQ7rS9", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9"],
])("a setting or a statement is found: %s", (text, secret) => {
  expect(valuesIn(text)).toEqual([secret]);
});

test("usage examples stay", () => {
  for (const text of [
    "wget https://x.org/a.zip -P /tmp/downloads; wget a.zip -P downloads1; gzip -P x; tar -P zip1 foo",
    'zip -P password a.zip; unzip -P "$PASS" a.zip; 7z x -p{password} a; zip -P <password> a',
    "ssh-keygen [-N new_passphrase] [-P old_passphrase]; ssh-keygen -t ed25519 -N '' -f id; ssh-keygen -N \"\" -f x1",
    "htpasswd -b passwdfile username password; htpasswd -c .htpasswd anna; htpasswd -bc",
    "openssl passwd -6; openssl passwd -stdin; openssl enc -d -k password",
    "CREATE USER app IDENTIFIED BY '{password}'; IDENTIFIED BY 'password'; identified by id1, IDENTIFIED BY ${pw1}",
    "row identified by 'name of the user' and identified by '%s'; \"IDENTIFIED BY '\" + password1 + \"'\"",
    'wpa-psk psk: string, psk = derive(key1) psk=psk, const psk = keys.psk12345; tls_psk_server; PSK "key"',
    "const pass = computeSomethingVeryLong1234567; first pass = 12345678901234567890; Key Contents : a",
    "--from-literal=a=b --from-literal=token=$TOKEN --from-literal=password=password",
    "reset-password page1; -password $PW; --passphrase 'your passphrase'; forgot-password?",
    "cf login -p; az login -p $PASSWORD; the login form -p is 1; docker login -p $(cat x1)",
    "at=$(date -u +%Y-%m-%dT%H:%M:%SZ); date -u '+%F %H:%M:%S' -d now; date -u +\"%H:%M:%S %p\"; -u +%T:%3N",
    "password1, password2: string; passwords: 12; token2 = next(token1); API_KEY_1: string",
  ])
    expect(findSecrets(text), text).toEqual([]);
});
