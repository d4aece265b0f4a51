/** Numbers below a limit. */
type Random = (below: number) => number;

/** A secret of a kind, and a text in which people write it. */
export type Planted = { kind: string; secret: string; text: string };

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const UPPER = LOWER.toUpperCase();
const B62 = DIGITS + UPPER + LOWER;
const URL64 = `${B62}_-`;
const B64 = `${B62}+/`;
const HEX = `${DIGITS}abcdef`;
const B32 = `${UPPER}234567`;

type Form = (
  some: (alphabet: string, length: number) => string,
  random: Random,
) => string | [secret: string, text: string];

const jwt = (some: Parameters<Form>[0]) =>
  `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url(`{"sub":"${some(B62, 20)}"}`)}.${some(URL64, 43)}`;
const uuid = (some: Parameters<Form>[0]) => [8, 4, 4, 4, 12].map((length) => some(HEX, length)).join("-");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const base64url = (text: string) => Buffer.from(text).toString("base64url");
const named = (name: string, secret: string): [string, string] => [secret, `${name}=${secret}`];

/** How to make one of each kind, as its issuer does. */
const FORMS: Readonly<Record<string, Form>> = {
  "aws-access-key": (some, random) => `${["AKIA", "ASIA"][random(2)]}${some(B32, 16)}`,
  "aws-secret-key": (some) => named("aws_secret_access_key", some(B64, 40)),
  "aws-session-token": (some) => named("AWS_SESSION_TOKEN", `${some(B64, 356)}==`),
  "aws-bedrock-key": (some) => `ABSK${some(B64, 128)}`,
  "google-api-key": (some, random) => (random(2) ? `AIza${some(URL64, 35)}` : `AQ.Ab8RN6${some(URL64, 44)}`),
  "google-oauth-secret": (some) => `GOCSPX-${some(URL64, 28)}`,
  "google-access-token": (some) => `ya29.${some(URL64, 180)}`,
  "google-refresh-token": (some) => `1//0${some(URL64, 60)}`,
  "firebase-server-key": (some) => `AAAA${some(URL64, 7)}:APA91b${some(URL64, 134)}`,
  "azure-storage-key": (some) => {
    const secret = `${some(B64, 86)}==`;
    return [
      secret,
      `DefaultEndpointsProtocol=https;AccountName=logs;AccountKey=${secret};EndpointSuffix=core.windows.net`,
    ];
  },
  "azure-shared-key": (some) => {
    const secret = `${some(B64, 43)}=`;
    return [
      secret,
      `Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey=${secret}`,
    ];
  },
  "azure-sas": (some) => {
    const secret = `${some(B62, 43)}%3D`;
    return [secret, `https://logs.blob.core.windows.net/a?sv=2024-11-04&sp=r&sig=${secret}`];
  },
  "azure-client-secret": (some) => `${some(B62, 3)}8Q~${some(`${URL64}~.`, 31)}${some(B62, 3)}`,
  "azure-devops-token": (some) => `${some(B62, 76)}AZDO${some(B62, 4)}`,
  "azure-service-key": (some) => `${some(B62, 52)}JQQJ99${some(B62, 26)}`,
  "digitalocean-token": (some, random) => `do${"opr"[random(3)]}_v1_${some(HEX, 64)}`,
  "alibaba-access-key": (some) => `LTAI${some(B62, 20)}`,
  "tencent-secret-id": (some) => `AKID${some(B62, 32)}`,
  "yandex-key": (some) => `AQVN${some(URL64, 36)}`,
  "heroku-key": (some) => `HRKU-${uuid(some)}`,
  "flyio-token": (some) => `fm2_${some(B64, 160)}`,
  "cloudflare-origin-key": (some) => `v1.0-${some(HEX, 24)}-${some(HEX, 146)}`,
  "cloudflare-token": (some, random) => `cf${["k", "ut", "at"][random(3)]}_${some(B62, 48)}`,
  "netlify-token": (some) => `nfp_${some(B62, 36)}`,
  "vercel-token": (some, random) => `vc${"piark"[random(5)]}_${some(URL64, 50)}${some(B62, 6)}`,
  "render-key": (some) => `rnd_${some(B62, 28)}`,
  "neon-key": (some) => `napi_${some(LOWER + DIGITS, 64)}`,
  "openshift-token": (some) => `sha256~${some(URL64, 43)}`,
  "vercel-blob-token": (some) => `vercel_blob_rw_${some(B62, 16)}_${some(B62, 30)}`,
  "supabase-token": (some, random) => (random(2) ? `sbp_${some(HEX, 40)}` : `sb_secret_${some(URL64, 31)}`),
  "planetscale-token": (some) => `pscale_tkn_${some(URL64, 43)}`,
  "databricks-token": (some) => `dapi${some(HEX, 32)}-2`,
  "tailscale-key": (some) => `tskey-auth-${some(B62, 11)}CNTRL-${some(B62, 33)}`,
  "github-token": (some, random) =>
    random(6) === 0
      ? `ghs_${some("123456789", 6)}_${jwt(some)}`
      : `gh${"pousr"[random(5)]}_${withCrc(some(B62, 30))}`,
  "github-fine-grained": (some) => `github_pat_${some(B62, 22)}_${some(B62, 59)}`,
  "gitlab-token": (some, random) => `${["glpat", "gldt", "glrt", "glptt"][random(4)]}-${some(URL64, 20)}`,
  "bitbucket-token": (some) => `ATBB${some(B62, 32)}`,
  "atlassian-token": (some) => `ATATT3xFfGF0${some(URL64, 171)}=${some(UPPER, 8)}`,
  "npm-token": (some) => `npm_${withCrc(some(B62, 30))}`,
  "pypi-token": (some) => `pypi-AgEIcHlwaS5vcmc${some(URL64, 130)}`,
  "rubygems-key": (some) => `rubygems_${some(HEX, 48)}`,
  "crates-token": (some) => `cio${some(B62, 32)}`,
  "nuget-key": (some) => `oy2${some(LOWER + DIGITS, 43)}`,
  "sonar-token": (some, random) => `sq${"upa"[random(3)]}_${some(HEX, 40)}`,
  "clojars-token": (some) => `CLOJARS_${some(DIGITS + LOWER, 60)}`,
  "docker-token": (some) => `dckr_pat_${some(URL64, 27)}`,
  "jfrog-key": (some) => `AKCp${some(B62, 69)}`,
  "jfrog-reference-token": (some) => `cmVmdGtuOjAxOj${some(B62, 50)}`,
  "buildkite-token": (some) => `bkua_${some(HEX, 40)}`,
  "circleci-token": (some) => `CCIPAT_${some(B62, 22)}_${some(HEX, 40)}`,
  "terraform-token": (some) => `${some(B62, 14)}.atlasv1.${some(URL64, 67)}`,
  "vault-token": (some) => `hvs.${some(URL64, 95)}`,
  "pulumi-token": (some) => `pul-${some(HEX, 40)}`,
  "doppler-token": (some) => `dp.pt.${some(B62, 43)}`,
  "onepassword-token": (some) =>
    `ops_${base64url(JSON.stringify({ signInAddress: "a.1password.com", secretKey: some(B62, 200) }))}`,
  "onepassword-key": (some) =>
    `A3-${[6, 6, 5, 5, 5, 5].map((length) => some(UPPER + DIGITS, length)).join("-")}`,
  "mongodb-secret": (some) => `mdb_sa_sk_${some(URL64, 40)}`,
  "prefect-key": (some) => `pnu_${some(B62, 36)}`,
  "anthropic-key": (some) => `sk-ant-api03-${some(URL64, 93)}AA`,
  "openai-key": (some) => `sk-proj-${some(URL64, 74)}T3BlbkFJ${some(URL64, 74)}`,
  "openrouter-key": (some) => `sk-or-v1-${some(HEX, 64)}`,
  "langfuse-key": (some) => `sk-lf-${uuid(some)}`,
  "deepseek-key": (some) => `sk-${some(HEX, 32)}`,
  "huggingface-token": (some) => `hf_${some(UPPER + LOWER, 34)}`,
  "replicate-token": (some) => `r8_${some(B62, 37)}`,
  "groq-key": (some) => `gsk_${some(B62, 52)}`,
  "perplexity-key": (some) => `pplx-${some(B62, 48)}`,
  "xai-key": (some) => `xai-${some(B62, 80)}`,
  "nvidia-key": (some) => `nvapi-${some(URL64, 64)}`,
  "langsmith-key": (some) => `lsv2_pt_${some(HEX, 32)}_${some(HEX, 10)}`,
  "tavily-key": (some) => `tvly-dev-${some(B62, 32)}`,
  "together-key": (some) => `tgp_v1_${some(URL64, 43)}`,
  "cerebras-key": (some) => `csk-${some(LOWER + DIGITS, 48)}`,
  "elevenlabs-key": (some) => `sk_${some(HEX, 48)}`,
  "pinecone-key": (some) => `pcsk_${some(B62, 5)}_${some(B62, 63)}`,
  "wandb-key": (some) => `wandb_v1_${some(B62, 77)}`,
  "e2b-key": (some) => `e2b_${some(HEX, 40)}`,
  "firecrawl-key": (some) => `fc-${some(HEX, 32)}`,
  "apify-token": (some) => `apify_api_${some(B62, 36)}`,
  "google-oauth-code": (some) => `4/0A${some(URL64, 70)}`,
  "yandex-token": (some) => `t1.${some(URL64, 120)}.${some(URL64, 86)}`,
  "model-key": (some) => `sk-${some(B62, 44)}4k7Q`,
  "grafana-key": (some) => `eyJrIjoi${some(B62, 92)}==`,
  "teams-webhook": (some) => {
    const secret = `${some(HEX, 32)}/${uuid(some)}`;
    const address = `https://shop.webhook.office.com/webhookb2/${uuid(some)}@${uuid(some)}/IncomingWebhook/${secret}`;
    return [secret, address];
  },
  "adobe-secret": (some) => `p8e-${some(URL64, 32)}`,
  "defined-networking-token": (some) => `dnkey-${some(UPPER + DIGITS, 26)}-${some(UPPER + DIGITS, 52)}`,
  "frameio-token": (some) => `fio-u-${some(URL64, 64)}`,
  "harness-token": (some) => `pat.${some(URL64, 22)}.${some(HEX, 24)}.${some(B62, 20)}`,
  "infracost-key": (some) => `ico-${some(B62, 32)}`,
  "mailersend-token": (some) => `mlsn.${some(HEX, 64)}`,
  "octopus-key": (some) => `API-${some(UPPER + DIGITS, 22)}4K7Q`,
  "scalingo-token": (some) => `tk-us-${some(URL64, 48)}`,
  "sourcegraph-token": (some, random) =>
    random(2) ? `sgp_${some(HEX, 16)}_${some(HEX, 40)}` : `slk_${some(HEX, 64)}`,
  "settlemint-token": (some) => `sm_pat_${some(B62, 16)}`,
  "snyk-token": (some) => `snyk_uat.${some(HEX, 8)}.${some(URL64, 100)}`,
  "jina-key": (some) => `jina_${some(B62, 60)}`,
  "fireworks-key": (some) => `fw_${some(B62, 20)}4k7Q`,
  "context7-key": (some) => `ctx7sk-${uuid(some)}`,
  "minimax-key": (some) => `sk-cp-${some(URL64, 100)}`,
  "inngest-key": (some) => `signkey-prod-${some(HEX, 64)}`,
  "brave-key": (some) => `BSA${some(B62, 24)}4k7Q`,
  "adafruit-key": (some) => `aio_${some(B62, 24)}4k7Q`,
  "trigger-key": (some) => `tr_dev_${some(B62, 24)}`,
  "depot-token": (some) => `depot_project_${some(HEX, 64)}`,
  "plaid-token": (some) => `access-production-${uuid(some)}`,
  "launchdarkly-key": (some) => `sdk-${uuid(some)}`,
  "zuplo-key": (some) => `zpka_${some(LOWER + DIGITS, 32)}_${some(HEX, 8)}`,
  "llamacloud-key": (some) => `llx-${some(B62, 48)}`,
  "runpod-key": (some) => `rpa_${some(UPPER + DIGITS, 46)}`,
  "paddle-key": (some) => `pdl_live_apikey_${some(LOWER + DIGITS, 26)}_${some(B62, 22)}_${some(B62, 3)}`,
  "polar-token": (some) => `polar_oat_${some(B62, 43)}`,
  "aiven-password": (some) => `AVNS_${some(URL64, 19)}`,
  "cockroach-key": (some) => `CCDB1_${some(B62, 22)}_${some(B62, 40)}`,
  "slack-token": (some, random) =>
    `xox${"bpc"[random(3)]}-${some(DIGITS, 12)}-${some(DIGITS, 12)}-${some(B62, 24)}`,
  "slack-app-token": (some) => `xapp-1-A${some(UPPER + DIGITS, 10)}-${some(DIGITS, 13)}-${some(HEX, 64)}`,
  "slack-webhook": (some) => {
    const secret = `T${some(UPPER + DIGITS, 10)}/B${some(UPPER + DIGITS, 10)}/${some(B62, 24)}`;
    return [secret, `curl https://hooks.slack.com/services/${secret}`];
  },
  "stripe-key": (some, random) => `${["sk_live", "rk_live", "sk_test"][random(3)]}_${some(B62, 99)}`,
  "webhook-secret": (some) => `whsec_${some(B62, 32)}`,
  "square-token": (some, random) =>
    random(2) ? `sq0csp-${some(URL64, 43)}` : `EAAA${some(LOWER + DIGITS, 60)}`,
  "shopify-token": (some) => `shpat_${some(HEX, 32)}`,
  "sendgrid-key": (some) => `SG.${some(URL64, 22)}.${some(URL64, 43)}`,
  "mailgun-key": (some) => `key-${some(HEX, 32)}`,
  "mailchimp-key": (some) => `${some(HEX, 32)}-us12`,
  "brevo-key": (some) => `xkeysib-${some(HEX, 64)}-${some(B62, 16)}`,
  "resend-key": (some) => `re_${some(B62, 8)}_${some(B62, 24)}`,
  "twilio-key": (some) => `SK${some(HEX, 32)}`,
  "telegram-token": (some) => `${some("123456789", 10)}:AA${some(URL64, 33)}`,
  "discord-webhook": (some) => {
    const secret = some(URL64, 68);
    return [secret, `https://discord.com/api/webhooks/${some("123456789", 19)}/${secret}`];
  },
  "discord-token": (some) => `MT${some(B62, 24)}.${some(URL64, 6)}.${some(URL64, 38)}`,
  "facebook-token": (some) => `EAAC${some(B62, 180)}`,
  "linear-key": (some) => `lin_api_${some(B62, 40)}`,
  "hubspot-token": (some, random) => `pat-${["na", "eu"][random(2)]}1-${uuid(some)}`,
  "mapbox-token": (some) =>
    `sk.${base64url(JSON.stringify({ u: "heron", a: some(LOWER + DIGITS, 25) }))}.${some(URL64, 22)}`,
  "asana-token": (some) => `2/${some("123456789", 16)}/${some("123456789", 16)}:${some(HEX, 32)}`,
  "notion-token": (some) => `ntn_${some(B62, 46)}`,
  "figma-token": (some) => `figd_${some(URL64, 40)}`,
  "airtable-token": (some) => `pat${some(B62, 14)}.${some(HEX, 64)}`,
  "postman-key": (some) => `PMAK-${some(HEX, 24)}-${some(HEX, 34)}`,
  "newrelic-key": (some) => `NRAK-${some(UPPER + DIGITS, 27)}`,
  "grafana-token": (some) => `glsa_${some(B62, 32)}_${some(HEX, 8)}`,
  "sentry-token": (some) => `sntryu_${some(HEX, 64)}`,
  "posthog-key": (some) => `phx_${some(B62, 47)}`,
  "dynatrace-token": (some) => `dt0c01.${some(B32, 24)}.${some(B32, 64)}`,
  "shippo-token": (some) => `shippo_live_${some(HEX, 40)}`,
  "easypost-key": (some) => `EZAK${some(B62, 54)}`,
  "duffel-token": (some) => `duffel_live_${some(URL64, 43)}`,
  "contentful-token": (some) => `CFPAT-${some(URL64, 43)}`,
  "readme-key": (some) => `rdme_${some(LOWER + DIGITS, 70)}`,
  "typeform-token": (some) => `tfp_${some(B62, 44)}`,
  "dropbox-token": (some) => `sl.${some(URL64, 140)}`,
  "flutterwave-key": (some) => `FLWSECK-${some(HEX, 32)}-X`,
  "coze-token": (some) => `pat_${some(B62, 64)}`,
  "age-key": (some) => `AGE-SECRET-KEY-1${bech32("age-secret-key-", some)}`,
  "putty-key": (some) => {
    const lines = [some(B64, 64), some(B64, 64), `${some(B64, 35)}=`];
    return [
      lines.join("\n"),
      `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 3\n${lines.join("\n")}\nPrivate-MAC: 00\n`,
    ];
  },
  jwt,
  "password-hash": (some) => `$2b$12$${some(B62, 53)}`,
  "url-password": (some) => {
    const secret = `${some(B62, 14)}1a`;
    return [secret, `postgres://app:${secret}@db.internal:5432/shop`];
  },
  authorization: (some, random) => {
    const secret = some(B62, 40);
    return [secret, `Authorization: ${["ApiKey", "SSWS", "DeepL-Auth-Key", "OAuth"][random(4)]} ${secret}`];
  },
  "basic-login": (some) => {
    const secret = base64(`svc:${some(B62, 17)}`);
    return [secret, `Proxy-Authorization: Basic ${secret}`];
  },
  "bearer-token": (some) => {
    const secret = some(B62, 43);
    return [secret, `curl -H 'X-Auth: Bearer ${secret}' https://api.internal`];
  },
  cookie: (some) => {
    const secret = some(HEX, 40);
    return [secret, `Set-Cookie: sid=${secret}; Path=/; HttpOnly`];
  },
  "curl-user": (some) => {
    const secret = `${some(B62, 12)}9z`;
    return [secret, `curl -u deploy:${secret} https://registry.internal`];
  },
  "netrc-password": (some) => {
    const secret = `${some(B62, 12)}7q`;
    return [secret, `machine api.internal login deploy password ${secret}`];
  },
  "option-secret": (some) => {
    const secret = `${some(B62, 9)}4k`;
    return [secret, `mysql --user root --password ${secret} -e 'select 1'`];
  },
  "url-key": (some) => {
    const secret = some(B62, 30);
    return [secret, `https://maps.internal/v1/tiles?z=4&key=${secret}`];
  },
  "backscroll-token": (some) => {
    const secret = some(URL64, 43);
    return [secret, `Backscroll is ready at http://127.0.0.1:4747/#t=${secret}`];
  },
  "npmrc-token": (some) => {
    const secret = some(B62, 40);
    return [secret, `//registry.internal/:_authToken=${secret}`];
  },
  "docker-auth": (some) => {
    const secret = base64(`deploy:${some(B62, 20)}`);
    return [secret, `{"auths":{"registry.internal":{"auth": "${secret}"}}}`];
  },
  "private-jwk": (some) => {
    const secret = some(URL64, 43);
    return [secret, `{"kty":"OKP","crv":"Ed25519","x":"${some(URL64, 43)}","d":"${secret}"}`];
  },
  "private-key-id": (some) => {
    const secret = some(HEX, 40);
    return [secret, `"private_key_id": "${secret}"`];
  },
  password: (some) => {
    const secret = `${some(LOWER, 6)}#${some(DIGITS, 4)}`;
    return [secret, `  db_password: '${secret}'`];
  },
  "assigned-secret": (some) => {
    const secret = some(B62, 32);
    return [secret, `const client_secret = "${secret}";`];
  },
  email: (some) => `${some(LOWER, 7)}.${some(LOWER, 6)}@${some(LOWER, 8)}.org`,
  user: (some) => {
    const secret = some(LOWER, 9);
    return [secret, `cat /home/${secret}/notes.txt`];
  },
  "private-key": (some) => {
    const lines = [...Array.from({ length: 12 }, () => some(B64, 64)), `${some(B64, 30)}==`];
    return [
      lines.join("\n"),
      `-----BEGIN RSA PRIVATE KEY-----\n${lines.join("\n")}\n-----END RSA PRIVATE KEY-----\n`,
    ];
  },
};

/** The kinds of which secrets are planted. */
export const PLANTED_KINDS = Object.keys(FORMS);

/** So many secrets of every kind, valid in form and random, the same for the same seed. */
export function plantSecrets(seed: number, ofEach: number): Planted[] {
  const random = seeded(seed);
  const some = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[random(alphabet.length)]).join("");
  return Object.entries(FORMS).flatMap(([kind, form]) =>
    Array.from({ length: ofEach }, () => {
      const made = form(some, random);
      return typeof made === "string"
        ? { kind, secret: made, text: made }
        : { kind, secret: made[0], text: made[1] };
    }),
  );
}

/** Every bit of the state counts: the low ones of a congruence alone repeat. */
function seeded(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** GitHub and npm end their tokens with a CRC-32 of what precedes it, in six digits of base 62. */
function withCrc(body: string): string {
  let crc = 0xffffffff;
  for (const char of body) {
    crc ^= char.charCodeAt(0);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = "";
  for (let at = 0; at < 6; at++) {
    digits = `${B62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return body + digits;
}

/** 32 random bytes as Bech32 writes them, with its checksum, in capitals. */
function bech32(prefix: string, some: (alphabet: string, length: number) => string): string {
  const letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  const data = Array.from(some(letters, 52), (letter) => letters.indexOf(letter));
  const codes = Array.from(prefix, (char) => char.charCodeAt(0));
  const all = [
    ...codes.map((code) => code >> 5),
    0,
    ...codes.map((code) => code & 31),
    ...data,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  let sum = 1;
  for (const value of all) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].entries())
      if ((top >> bit) & 1) sum ^= generator;
  }
  const check = [0, 1, 2, 3, 4, 5].map((at) => ((sum ^ 1) >>> (5 * (5 - at))) & 31);
  return [...data, ...check]
    .map((value) => letters[value])
    .join("")
    .toUpperCase();
}
