import { expect, test } from "vitest";
import { findSecrets } from "./find-secrets";

const TOKEN = "a8f5f167f44f4964e6c998dee827110c";
const valuesIn = (text: string) => findSecrets(text).map(({ value }) => value);

test.each([
  ["requests.get(url, auth=('anna', 'S3cret!pw9'))", "S3cret!pw9"],
  ['HTTPBasicAuth(user, "S3cret!pw9")', "S3cret!pw9"],
  ["smtp.login('anna', 'S3cret!pw9')", "S3cret!pw9"],
  ["mysqli_connect('localhost', 'shop', 'S3cret!pw9', 'db')", "S3cret!pw9"],
  ['new mysqli($host, $user, "S3cret!pw9")', "S3cret!pw9"],
  ["new PDO($dsn, 'shop', 'S3cret!pw9');", "S3cret!pw9"],
  ['expect "assword:"\nsend -- "S3cret!pw9\\r"', "S3cret!pw9"],
  [`git clone https://${TOKEN}@git.shop.lan/a.git`, TOKEN],
  ["smtp_pass: S3cret!pw9", "S3cret!pw9"],
  ["ansible_become_pass: S3cret!pw9", "S3cret!pw9"],
  ["requirepass S3cret!pw9", "S3cret!pw9"],
  ["redis-server --requirepass S3cret!pw9", "S3cret!pw9"],
  [
    "PresharedKey = aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d=",
    "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d=",
  ],
  ["aws secretsmanager create-secret --name a --secret-string S3cret!pw9", "S3cret!pw9"],
  ["aws ssm put-parameter --name a --type SecureString --value S3cret!pw9", "S3cret!pw9"],
  ['dotnet user-secrets set "Db:Password" "S3cret!pw9"', "S3cret!pw9"],
  ["az keyvault secret set --vault-name v --name n --value S3cret!pw9", "S3cret!pw9"],
  ["fly secrets set PIN=S3cret!pw9", "S3cret!pw9"],
  ["echo swordfish | gcloud secrets versions add pin --data-file=-", "swordfish"],
  ["echo -e 'sword\\nsword' | sudo passwd anna", "sword\\nsword"],
  ["echo -n swordfish | cryptsetup luksOpen /dev/sda1 disk -", "swordfish"],
  ["rabbitmqctl add_user anna S3cret!pw9", "S3cret!pw9"],
  ["mc alias set store https://s3.shop.lan anna S3cret!pw9x", "S3cret!pw9x"],
  ["sqlplus -S shop/tiger99@db", "tiger99"],
  ["bcp t out f -S db -U sa -P S3cret!pw9", "S3cret!pw9"],
  ["xfreerdp /v:host /u:anna /p:S3cret!pw9", "S3cret!pw9"],
  ["cmdkey /add:host /user:anna /pass:S3cret!pw9", "S3cret!pw9"],
  ["net use Z: \\\\nas\\share S3cret!pw9 /user:anna", "S3cret!pw9"],
])("a password is told by its place: %s", (text, password) => {
  expect(valuesIn(text)).toEqual([password]);
});

test("the key of a VPN is found, in one piece", () => {
  const lines = Array.from({ length: 4 }, (_, n) => `${TOKEN.slice(n)}${TOKEN.slice(0, n)}`).join("\n");
  const key = `-----BEGIN OpenVPN Static key V1-----\n${lines}\n-----END OpenVPN Static key V1-----`;
  expect(findSecrets(`<tls-auth>\n${key}\n</tls-auth>`).map(({ rule, value }) => [rule, value])).toEqual([
    ["private-key", lines],
  ]);
});

test("text that only looks like such a call or command stays", () => {
  for (const text of [
    "auth=(user, password) auth=('user', 'password') requireAuth('/a1', '/b2') .login('anna', password1)",
    "page.login('first', 'second') useAuth(\"x\", 'y') new PDO($dsn, $user, $pw1) PDO('a', 'b', 'c')",
    "https://a8f5f167f44f4964e6c998dee827110c@o12.ingest.sentry.io/4 ssh://git@github.com:22 https://user-name-that-is-long@localhost npm://some-package-name-v2@1.2.3",
    'send "ls\\r" send "hello world1\\r" res.send("ok200") send("a1b2c3\\n")',
    "high_pass: filter low_pass: true user_pass: string1.of() requirepass $PW requirepass is1",
    "echo 'a b' | passwd --status anna; echo hi | cryptsetup",
    "sqlplus / as sysdba; sqlplus user/password@db; add_user anna S3cret!pw9; alias set -e; mc alias list",
    "secrets set PIN=$PIN; secret set of A1=b; net use; net use Z: /delete; rsync a /p:S3cret!pw9",
  ])
    expect(
      findSecrets(text).filter(({ rule }) => rule !== "email"),
      text,
    ).toEqual([]);
});
