import { expect, test } from "vitest";
import { MAX_LINEAR_GROWTH, timeGrowth } from "@/lib/testing/time-growth";
import { findSecrets } from "./find-secrets";

const PASSWORD = "S3cret!pw9";
const valuesIn = (text: string) => findSecrets(text).map(({ value }) => value);

test.each(
  [
    ...[
      "Passwort: %",
      "Das Passwort lautet %.",
      "Das Passwort für den Server ist %",
      "Kennwort : %",
      "PASSWORT=%",
    ],
    ...[
      "db_passwort = '%'",
      'datenbankPasswort: "%",',
      "| Passwort: | %",
      "Passwort: „%“",
      "Passwort: „%”",
      "Пароль: «%»",
      "mot de passe : « % »",
      "**Passwort:** %",
    ],
    ...["mot de passe : %", "Le mot de passe est %", 'mot_de_passe = "%"', "motDePasse=%", "MOT_DE_PASSE=%"],
    ...[
      "contraseña: %",
      "La contraseña es %.",
      "contrasena=%",
      "contrasen\u0303a: %",
      "Contraseña de anna: %",
    ],
    ...["clave: %", "senha: %", "A senha é %", "palavra-passe: %", "parola d'ordine: %", "wachtwoord: %"],
    ...[
      "lösenord: %",
      "lo\u0308senord: %",
      "Passord: %",
      "adgangskode: %",
      "salasana on %",
      "hasło: %",
      "heslo je %",
    ],
    ...["пароль: %", "Пароль — %", "ПАРОЛЬ=%", "пароль от базы: %", "jelszó: %", "şifre: %", "mật khẩu: %"],
    ...[
      "κωδικός: %",
      "密码：%",
      "数据库密码是%。",
      "密碼: %",
      "パスワードは%です",
      "パスワード：%",
      "비밀번호: %",
    ],
    ...["The password for the admin is %", "log in as anna with password %.", "pw: %", "PW=%"],
    ...[
      "smtp.pass = %",
      "smtp.pwd: %",
      "12:spring.datasource.password = %",
      "conf/app.properties:7:mail.pass=%",
    ],
  ].map((form) => form.replace("%", PASSWORD)),
)("a password is found: %s", (text) => {
  // What is before a table's cell is not a name for it.
  expect(valuesIn(text)).toEqual(text.includes("| Pass") ? [] : [PASSWORD]);
});

test.each([
  "mail.smtp.password=swordfish",
  "a=b\nspring.datasource.password=swordfish\r\nc=d",
  "smtp.pass=swordfish",
])("a setting's password may be a word: %s", (text) => {
  expect(valuesIn(text)).toEqual(["swordfish"]);
});

test.each([
  ["postgres://app:pa/ss#w?rd9@db:5432/x", "pa/ss#w?rd9"],
  ["https://anna:ab#cd9@host.test/x", "ab#cd9"],
  ["redis://:ab/cd9@host:6379", "ab/cd9"],
  ["mysql://anna:ab?cd9!@db", "ab?cd9!"],
  ["postgres://app:%21%40%23x@db/x", "%21%40%23x"],
  ["AUTH PLAIN AGFubmEAUzNjcmV0IXB3OQ==", "AGFubmEAUzNjcmV0IXB3OQ=="],
])("in %s", (text, secret) => {
  expect(valuesIn(text)).toEqual([secret]);
});

test("what only speaks of passwords is none, in any language", () => {
  for (const text of [
    "Passwort vergessen? Das Passwort ist falsch. Passwort: mindestens acht Zeichen, Passwort = eingabe.wert",
    'passwort: "Passwort", "mot de passe": "Mot de passe", contraseña: "Contraseña olvidada", senha: string',
    "La clave es la segunda parte. clave: valor; parola: cuvânt; heslo: slovo; senha: null, password: 密码",
    "passe = passe2; une passe: 12h30; passepartout: x1y2z3a4; nowhaslo: a1",
    "http://localhost:3000/path?mail=a@b.test http://host:8080/@scope/name https://host:PORT/x?q=a1@b",
    "http://registry:port/@scope%2fname1 s3://bucket:/a1@b file:///C:/Users1/a@b git+ssh://git@host:a/b1.git",
    "this.password=password\nself.pass = given1\nform.password=newPassword;\nuser.password=hash(input1)\n",
    "app.password=\napp.password=${DB_PASSWORD}\napp.pass=<password>\napp.password=password\napp.pwd=config.value\n",
    "postgres://%s:%s@db postgres://app:%(password)s@db",
    "reset your password today2, password base64-encoded, pw: 100%, pw=12px, password @app/auth1",
    "SASL mechanisms: PLAIN LOGIN1234 PLAIN text",
  ])
    expect(findSecrets(text), text).toEqual([]);
});

test.each([
  ...[
    "Passwort: ",
    "mot de passe ",
    "пароль для ",
    "密码是",
    "://a:b/",
    "://a:",
    "smtp.pass = ",
    "a.pass=b1c2d3",
  ],
  ...[
    "net use \\\\a /u:b ",
    "psexec -p",
    "'x' | ConvertTo-SecureString ",
    "snmpget -A ",
    "password a1#",
    "pw: ",
  ],
  ...["psexec.py a:b", "echo a | su ", "AUTH PLAIN AAAA", "sk-proj-", "AzFu", "curl -u a:'b' "],
])("80 KB of %j take no longer than their length", (piece) => {
  const growth = timeGrowth((size) => findSecrets(piece.repeat(Math.ceil(size / piece.length))), 2_500);
  expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
});

// What one place may be compared with is 8 KB: within those too the time must grow with the length alone.
test.each([
  ...[
    "密码是",
    "密码为：",
    "パスワードは",
    "암호는",
    "密码是a",
    "密码:„",
    "Passwort: x „",
    "senha:«",
    "密码:« ",
  ],
  ...["密码是....", "пароль:", 'clave="'],
])("8 KB of %j take no longer than their length", (piece) => {
  const growth = timeGrowth((size) => findSecrets(piece.repeat(Math.ceil(size / piece.length))), 1 << 8);
  expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
});
