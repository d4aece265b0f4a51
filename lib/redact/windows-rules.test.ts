import { expect, test } from "vitest";
import { findSecrets } from "./find-secrets";

const valuesIn = (text: string) => findSecrets(text).map(({ value }) => value);

test.each([
  ["ConvertTo-SecureString 'sword fish' -AsPlainText -Force", "sword fish"],
  ['ConvertTo-SecureString -AsPlainText -Force -String "swordfish"', "swordfish"],
  ["ConvertTo-SecureString S3cret!pw9 -AsPlainText -Force", "S3cret!pw9"],
  ['convertto-securestring "swordfish" -asplaintext -force', "swordfish"],
  ["$pw = 'sword fish' | ConvertTo-SecureString -AsPlainText -Force", "sword fish"],
  ['"swordfish"|ConvertTo-SecureString -AsPlainText', "swordfish"],
  ["ConvertTo-SecureString -String swordfish", null],
  ["psexec \\\\srv -u shop\\anna -p swordfish cmd", "swordfish"],
  ['PsExec64.exe \\\\srv -u anna -p "sword fish" cmd', "sword fish"],
  ["schtasks /create /tn backup /tr a.cmd /ru anna /rp swordfish", "swordfish"],
  ['SCHTASKS.EXE /Create /RU anna /RP "S3cret!pw9"', "S3cret!pw9"],
  ["net use z: \\\\srv\\share /user:anna swordfish", "swordfish"],
  ["NET USE \\\\srv\\share /persistent:no /U:shop\\anna 'sword fish'", "sword fish"],
  ["net use \\\\srv\\share swordfish /user:anna", "swordfish"],
  ["net use \\\\srv\\share S3cret!pw9", "S3cret!pw9"],
  ["net user anna S3cret!pw9 /add", "S3cret!pw9"],
  ["plink -ssh anna@srv -pw swordfish ls", "swordfish"],
  ["pscp.exe -pw S3cret!pw9 a anna@srv:b", "S3cret!pw9"],
  ['dsadd user "cn=anna" -pwd S3cret!pw9', "S3cret!pw9"],
  ["New-LocalUser -Name anna -Password S3cret!pw9", "S3cret!pw9"],
  ["evil-winrm -i srv -u anna -p 'S3cret!pw9'", "S3cret!pw9"],
  ["wmiexec.py shop/anna:swordfish@srv whoami", "swordfish"],
])("a secret argument is found: %s", (text, secret) => {
  expect(valuesIn(text)).toEqual(secret === null ? [] : [secret]);
});

test("usage examples stay", () => {
  for (const text of [
    "ConvertTo-SecureString $plain -AsPlainText -Force; $secret | ConvertTo-SecureString; Get-Content a | ConvertTo-SecureString",
    "Write-Host 'done' ; Read-Host 'Password' -AsSecureString; ConvertTo-SecureString -String $env:PW1",
    "psexec \\\\srv -s cmd; psexec -u user -p password cmd; psexec \\\\srv -p %PW%",
    "schtasks /query; schtasks /create /ru SYSTEM /rp * /tn x; schtasks /rp <password>",
    "net use; net use z: /delete; net use z: \\\\srv\\share /user:anna *; net use z: \\\\srv\\share /persistent:yes",
    "net use \\\\srv\\share /user:anna password; the net use of water",
    "net user count grew; the net user experience; net user /domain; internet user anna S3cret!pw9",
    "putty -load shop -pw password; nxc smb srv -u users.txt; evil-winrm --help",
    "python server.py host:8080@3 ; psexec.py -h",
  ])
    expect(findSecrets(text), text).toEqual([]);
});
