import {
  BEFORE_HOME,
  endOfUser,
  holdsLogin,
  isPersonName,
  isReachable,
  isUrlPassword,
  looksLikeCookie,
  looksLikePassword,
  looksRandom,
} from "./looks";
import { PASSWORD_RULES } from "./password-rules";
import { ANYWHERE, BARE, bareEnd, IS, quoted, type Rule, rule, SET, settingEnd } from "./rule";

const B62 = "[A-Za-z0-9]";
const URL64 = "[A-Za-z0-9_-]";
const HEX = "[0-9a-f]";
const UUID = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`;

/**
 * Every kind, the narrower ones first: where two find the same text, the first names it. Patterns follow the formats
 * that issuers publish: prefix, alphabet, length. Where a later format may be longer, the length has no upper end.
 */
export const RULES: readonly Rule[] = [
  // Keys of clouds
  rule("aws-access-key", "AWS access key", "AKIA ASIA ABIA ACCA", "[A-Z]{4}[A-Z2-7]{16}"),
  rule(
    "aws-secret-key",
    "AWS secret key",
    "aws_secret_access_key AWS_SECRET_ACCESS_KEY SecretAccessKey secretAccessKey aws_secret_key AWS_SECRET_KEY",
    `[A-Za-z_]+${IS}([A-Za-z0-9/+]{40})`,
    { left: ANYWHERE },
  ),
  rule(
    "aws-session-token",
    "AWS session token",
    "aws_session_token AWS_SESSION_TOKEN SessionToken sessionToken",
    `[A-Za-z_]+${IS}([A-Za-z0-9/+=]{100,})`,
    { left: ANYWHERE },
  ),
  rule("aws-bedrock-key", "Amazon Bedrock key", "ABSK", "ABSK[A-Za-z0-9+/]{109,}={0,2}"),
  rule("google-api-key", "Google API key", "AIza", `AIza${URL64}{35}`),
  rule("google-oauth-secret", "Google OAuth client secret", "GOCSPX-", `GOCSPX-${URL64}{28}`),
  rule("google-access-token", "Google access token", "ya29.", "ya29\\.[A-Za-z0-9_.-]{30,}"),
  rule("google-refresh-token", "Google refresh token", "1//0", `1//0${URL64}{30,}`),
  rule("firebase-server-key", "Firebase server key", ":APA91b", `:APA91b${URL64}{134}`, {
    left: /AAAA[\w-]{7}$/,
  }),
  rule("azure-storage-key", "Azure storage key", "AccountKey=", "AccountKey=([A-Za-z0-9+/]{86}==)", {
    left: ANYWHERE,
  }),
  rule(
    "azure-shared-key",
    "Azure shared access key",
    "SharedAccessKey=",
    "SharedAccessKey=([A-Za-z0-9+/]{43}=)",
    { left: ANYWHERE },
  ),
  rule("azure-sas", "Azure shared access signature", "sig=", "sig=([A-Za-z0-9%+/]{43,90}(?:%3[Dd]|=))"),
  rule("azure-client-secret", "Azure client secret", "Q~", "Q~[A-Za-z0-9_.~-]{31,34}", {
    left: /[A-Za-z0-9_.~-]{3}\d$/,
  }),
  rule("azure-devops-token", "Azure DevOps token", "AZDO", `AZDO${B62}{4}`, { left: /[A-Za-z0-9]{76}$/ }),
  rule("azure-service-key", "Azure service key", "JQQJ99", `JQQJ99${B62}{26}`, { left: /[A-Za-z0-9]{52}$/ }),
  rule(
    "digitalocean-token",
    "DigitalOcean token",
    "dop_v1_ doo_v1_ dor_v1_ dot_v1_",
    `do[oprt]_v1_${HEX}{64}`,
  ),
  rule("alibaba-access-key", "Alibaba Cloud access key", "LTAI", `LTAI${B62}{20}`),
  rule("tencent-secret-id", "Tencent Cloud secret id", "AKID", `AKID${B62}{32}`),
  rule("yandex-key", "Yandex Cloud key", "AQVN", `AQVN${URL64}{35,38}`),
  rule("heroku-key", "Heroku key", "HRKU-", `HRKU-${URL64}{36,80}`),
  rule("flyio-token", "Fly.io token", "fm2_ fo1_", `f(?:m2|o1)_[A-Za-z0-9+/=_-]{40,}`),
  rule("cloudflare-origin-key", "Cloudflare origin CA key", "v1.0-", `v1\\.0-${HEX}{24}-${HEX}{146}`),
  rule("netlify-token", "Netlify token", "nfp_", `nfp_${B62}{36}`),
  rule(
    "vercel-blob-token",
    "Vercel Blob token",
    "vercel_blob_rw_",
    `vercel_blob_rw_${B62}{16,24}_${B62}{30,40}`,
  ),
  rule("supabase-token", "Supabase token", "sbp_ sb_secret_", `sb(?:p_${HEX}{40}|_secret_${URL64}{31})`),
  rule(
    "planetscale-token",
    "PlanetScale token",
    "pscale_tkn_ pscale_pw_ pscale_oauth_",
    "pscale_[a-z]+_[A-Za-z0-9_.=-]{32,64}",
  ),
  rule("databricks-token", "Databricks token", "dapi", `dapi${HEX}{32}(?:-\\d)?`),
  rule("tailscale-key", "Tailscale key", "tskey-", `tskey-[a-z]{3,8}-${B62}{10,20}-${B62}{20,60}`),

  // Where code lives and is built
  rule("github-token", "GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", `gh[pousr]_${B62}{36,}`),
  rule("github-fine-grained", "GitHub fine-grained token", "github_pat_", `github_pat_${B62}{22}_${B62}{59}`),
  rule(
    "gitlab-token",
    "GitLab token",
    "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-",
    `gl[a-z]{2,5}-[A-Za-z0-9_.-]{20,}`,
  ),
  rule("bitbucket-token", "Bitbucket token", "ATBB ATCTT3", `AT(?:BB${B62}{32}|CTT3[A-Za-z0-9_=-]{150,})`),
  rule("atlassian-token", "Atlassian token", "ATATT3", "ATATT3[A-Za-z0-9_=-]{150,}"),
  rule("npm-token", "npm token", "npm_", `npm_${B62}{36}`),
  rule("pypi-token", "PyPI token", "pypi-AgE", `pypi-AgE${URL64}{50,}`),
  rule("rubygems-key", "RubyGems key", "rubygems_", `rubygems_${HEX}{48}`),
  rule("crates-token", "crates.io token", "cio", `cio${B62}{32}`, { check: looksRandom }),
  rule("clojars-token", "Clojars token", "CLOJARS_", "CLOJARS_[a-z0-9]{60}"),
  rule("docker-token", "Docker token", "dckr_pat_ dckr_oat_", `dckr_[op]at_${URL64}{27,40}`),
  rule("jfrog-key", "JFrog key", "AKCp", `AKCp${B62}{69}`),
  rule("jfrog-reference-token", "JFrog reference token", "cmVmdGtuOjAxOj", `cmVmdGtuOjAxOj${URL64}{40,80}`),
  rule("buildkite-token", "Buildkite token", "bkua_", `bkua_${HEX}{40}`),
  rule("circleci-token", "CircleCI token", "CCIPAT_ CCIPRJ_", `CCI[A-Z]{3}_${B62}{22}_${HEX}{40}`),
  rule("terraform-token", "Terraform Cloud token", ".atlasv1.", `\\.atlasv1\\.${URL64}{60,70}`, {
    left: /[A-Za-z0-9]{14}$/,
  }),
  rule("vault-token", "Vault token", "hvs. hvb. hvr.", `hv[sbr]\\.${URL64}{24,}`),
  rule("pulumi-token", "Pulumi token", "pul-", `pul-${HEX}{40}`),
  rule(
    "doppler-token",
    "Doppler token",
    "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.",
    `dp\\.[a-z]{2,5}\\.(?:[a-z0-9_-]{2,35}\\.)?${B62}{40,44}`,
  ),
  rule("onepassword-token", "1Password service token", "ops_eyJ", `ops_eyJ${URL64}{200,}=*`),
  rule("prefect-key", "Prefect key", "pnu_", `pnu_${B62}{36}`),

  // Models
  rule("anthropic-key", "Anthropic key", "sk-ant-", `sk-ant-[a-z0-9]{3,8}-${URL64}{80,}`),
  rule("openai-key", "OpenAI key", "sk-", `sk-(?:[a-z]{4,8}-)?${URL64}{20,}T3BlbkFJ${URL64}{20,}`),
  rule("openrouter-key", "OpenRouter key", "sk-or-v1-", `sk-or-v1-${HEX}{64}`),
  rule("langfuse-key", "Langfuse key", "sk-lf-", `sk-lf-${UUID}`),
  rule("deepseek-key", "DeepSeek key", "sk-", `sk-${HEX}{32}`),
  rule("huggingface-token", "Hugging Face token", "hf_ api_org_", "(?:hf|api_org)_[A-Za-z]{34}"),
  rule("replicate-token", "Replicate token", "r8_", `r8_${B62}{37}`),
  rule("groq-key", "Groq key", "gsk_", `gsk_${B62}{52}`),
  rule("perplexity-key", "Perplexity key", "pplx-", `pplx-${B62}{48}`),
  rule("xai-key", "xAI key", "xai-", `xai-${B62}{80}`),
  rule("nvidia-key", "NVIDIA key", "nvapi-", `nvapi-${URL64}{60,70}`),
  rule("langsmith-key", "LangSmith key", "lsv2_", `lsv2_[a-z]{2}_${HEX}{32}_${HEX}{10}`),
  rule("tavily-key", "Tavily key", "tvly-", `tvly-(?:[a-z]{3,4}-)?${URL64}{32,60}`),

  // Services
  rule(
    "slack-token",
    "Slack token",
    "xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxe",
    "xox[a-z](?:\\.xox[a-z])?-[A-Za-z0-9-]{20,}",
  ),
  rule("slack-app-token", "Slack app token", "xapp-", `xapp-\\d-[A-Z0-9]+-\\d+-[a-z0-9]{32,80}`),
  rule(
    "slack-webhook",
    "Slack webhook",
    "hooks.slack.com/",
    `hooks\\.slack\\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{40,80})`,
    { left: ANYWHERE },
  ),
  rule("stripe-key", "Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_", `[rs]k_[a-z]{4}_${B62}{16,}`),
  rule("webhook-secret", "webhook secret", "whsec_", "whsec_[A-Za-z0-9+/=]{24,90}"),
  rule("square-token", "Square token", "sq0atp- sq0csp-", `sq0[a-z]{3}-${URL64}{22,43}`),
  rule("shopify-token", "Shopify token", "shpat_ shpca_ shppa_ shpss_", "shp[a-z]{2}_[0-9a-fA-F]{32}"),
  rule("sendgrid-key", "SendGrid key", "SG.", `SG\\.${URL64}{22}\\.${URL64}{43}`),
  rule("mailgun-key", "Mailgun key", "key-", `key-${HEX}{32}`),
  rule("mailchimp-key", "Mailchimp key", "-us", "-us\\d{1,2}", { left: /(?<![0-9a-f])[0-9a-f]{32}$/ }),
  rule("brevo-key", "Brevo key", "xkeysib- xsmtpsib-", `x(?:key|smtp)sib-${HEX}{64}-${B62}{16}`),
  rule("resend-key", "Resend key", "re_", `re_${B62}{8}_${B62}{24}`),
  rule("twilio-key", "Twilio key", "SK", `SK${HEX}{32}`),
  rule("telegram-token", "Telegram bot token", ":AA", `:AA${URL64}{33}`, { left: /\d{8,10}$/ }),
  rule(
    "discord-webhook",
    "Discord webhook",
    "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
    `discord(?:app)?\\.com/api/webhooks/\\d{17,20}/(${URL64}{60,72})`,
    { left: ANYWHERE },
  ),
  rule("facebook-token", "Facebook token", "EAA", `EAA[A-Z]${B62}{80,}`),
  rule("linear-key", "Linear key", "lin_api_ lin_oauth_", `lin_[a-z]+_${B62}{40,64}`),
  rule("notion-token", "Notion token", "ntn_ secret_", `(?:ntn_${B62}{46}|secret_${B62}{43})`),
  rule("figma-token", "Figma token", "figd_ figo_ figu_", `fig[dou]_${URL64}{40,60}`),
  rule("airtable-token", "Airtable token", "pat", `pat${B62}{14}\\.${HEX}{64}`),
  rule("postman-key", "Postman key", "PMAK-", `PMAK-${HEX}{24}-${HEX}{34}`),
  rule("newrelic-key", "New Relic key", "NRAK- NRII- NRJS-", "NR(?:AK|II|JS)-[A-Za-z0-9_-]{19,36}"),
  rule(
    "grafana-token",
    "Grafana token",
    "glsa_ glc_",
    `gl(?:sa_${B62}{32}_[0-9a-f]{8}|c_[A-Za-z0-9+/]{32,}={0,2})`,
  ),
  rule("sentry-token", "Sentry token", "sntrys_ sntryu_", `sntry(?:u_${HEX}{64}|s_eyJ[A-Za-z0-9+/=_-]{40,})`),
  rule("posthog-key", "PostHog key", "phx_", `phx_${B62}{43,60}`),
  rule(
    "dynatrace-token",
    "Dynatrace token",
    "dt0c01. dt0s16.",
    "dt0[cs]\\d{2}\\.[A-Z2-7]{24}\\.[A-Z2-7]{64}",
  ),
  rule("shippo-token", "Shippo token", "shippo_live_ shippo_test_", `shippo_[a-z]{4}_${HEX}{40}`),
  rule("easypost-key", "EasyPost key", "EZAK EZTK", `EZ[AT]K${B62}{54}`),
  rule("duffel-token", "Duffel token", "duffel_live_ duffel_test_", `duffel_[a-z]{4}_${URL64}{43}`),
  rule("contentful-token", "Contentful token", "CFPAT-", `CFPAT-${URL64}{43}`),
  rule("readme-key", "ReadMe key", "rdme_", "rdme_[a-z0-9]{70}"),
  rule("typeform-token", "Typeform token", "tfp_", "tfp_[A-Za-z0-9_.=-]{40,60}"),
  rule("dropbox-token", "Dropbox token", "sl.", `sl\\.(?:u\\.)?${URL64}{130,}`),
  rule("flutterwave-key", "Flutterwave key", "FLWSECK", "FLWSECK(?:_TEST)?-[0-9a-zA-Z]{12,40}-X"),
  rule("coze-token", "Coze token", "pat_", `pat_${B62}{64}`),

  // Formats that many use
  rule("age-key", "age secret key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}"),
  rule(
    "putty-key",
    "PuTTY private key",
    "Private-Lines:",
    "Private-Lines: \\d{1,4}\\s+((?:[A-Za-z0-9+/]{16,}={0,2}\\s+)*[A-Za-z0-9+/]{16,}={0,2})",
  ),
  rule("jwt", "JSON web token", "eyJ", `eyJ${URL64}{10,}\\.eyJ${URL64}{8,}\\.${URL64}*`, {
    // In a run of its own letters it is tried once.
    left: /(?<![A-Za-z0-9_-])$/,
  }),
  rule(
    "password-hash",
    "password hash",
    "$2a$ $2b$ $2y$ $5$ $6$ $y$ $argon2",
    `\\$(?:2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}|[56]\\$(?:rounds=\\d+\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{43,86}|y\\$[./A-Za-z0-9]+\\$[./A-Za-z0-9]{1,86}\\$[./A-Za-z0-9]{43}|argon2id?\\$v=\\d+\\$[a-z0-9=,]+\\$[A-Za-z0-9+/]{11,64}\\$[A-Za-z0-9+/]{16,})`,
  ),
  rule("url-password", "password in a URL", "://", `://[^\\s/?#@:"'<>\\\\]{0,100}:([^\\s/?#"'<>\\\\]{3,})@`, {
    left: ANYWHERE,
    check: isUrlPassword,
  }),
  rule(
    "authorization",
    "Authorization header",
    "uthorization UTHORIZATION",
    `(?i)uthorization${IS}(?:(?:bearer|token|apikey|digest|negotiate|bot)\\s{1,4})?([^\\s"'\`\\\\,;<>{}]{8,})`,
    { left: ANYWHERE, check: looksRandom },
  ),
  rule("basic-login", "login in a Basic header", "asic", "asic\\s{1,4}([A-Za-z0-9+/]{8,}={0,2})", {
    left: ANYWHERE,
    check: holdsLogin,
  }),
  rule("bearer-token", "bearer token", "earer", "earer\\s{1,4}([A-Za-z0-9._~+/-]{16,}=*)", {
    left: ANYWHERE,
    check: looksRandom,
  }),
  rule(
    "cookie",
    "cookie",
    "ookie COOKIE -b --cookie",
    `(?:(?i:ookie)["']?:\\s{0,4}["']?|(?:-b|--cookie)[ =]["']?)([A-Za-z0-9!#$%&*+.^_|~-]{1,}=[^\\s"'\`\\\\;]{6,}(?:;\\s?[^\\r\\n"'\`\\\\]*)?)`,
    { left: ANYWHERE, check: looksLikeCookie },
  ),
  rule(
    "curl-user",
    "password for curl",
    "-u --user",
    `(?:-u ?|--user[ =])(?:"[^\\s:"']{1,60}:([^"\\r\\n]{4,})"|'[^\\s:"']{1,60}:([^'\\r\\n]{4,})'|[^\\s:"']{1,60}:([^\\s"']{4,}))`,
    { check: looksLikePassword },
  ),
  rule("netrc-password", "password in .netrc", "login", "login\\s+\\S{1,}\\s+password\\s+(\\S{4,})", {
    check: looksLikePassword,
  }),
  rule(
    "option-secret",
    "secret in a command's option",
    "--pass --token --secret --api-key --apikey --access-token --auth-token --client-secret --pw",
    `--(?:password|passphrase|pass|pwd|pw|token|secret|api-?key|access-token|auth-token|client-secret)(?:[ =]["']?|["'],\\s{0,8}["'])${BARE}`,
    { left: ANYWHERE, endOf: bareEnd, check: looksLikePassword },
  ),
  // Options of one letter are a password's with these commands alone.
  rule(
    "option-secret",
    "secret in a command's option",
    "sshpass mysql mariadb docker podman",
    `(?:sshpass\\s{1,4}-p\\s{0,4}|(?:mysql|mariadb)(?:dump|admin|import)?\\s(?:[^\\r\\n|;&]{0,200}?\\s)??-p|(?:docker|podman)\\s{1,4}login\\s(?:[^\\r\\n|;&]{0,200}?\\s)??-p[ =])["']?${BARE}`,
    { endOf: bareEnd, check: looksLikePassword },
  ),
  rule(
    "url-key",
    "key in a URL",
    "?key= &key= &sig= ?sig= &signature= ?code= &code=",
    "[?&][a-z]{3,9}=([A-Za-z0-9_%.~-]{16,})",
    {
      left: ANYWHERE,
      check: looksRandom,
    },
  ),
  rule(
    "npmrc-token",
    "token in .npmrc",
    "_authToken= _auth= _password=",
    "_(?:authToken|auth|password)=([^\\s\"'$]{8,})",
    { left: ANYWHERE, check: looksLikePassword },
  ),
  rule("docker-auth", "Docker registry login", '"auth"', '"auth":\\s{0,4}"([A-Za-z0-9+/]{12,}={0,2})"', {
    left: ANYWHERE,
    check: holdsLogin,
  }),
  rule("private-key-id", "private key id", "private_key_id", `private_key_id${IS}(${HEX}{40})`, {
    left: ANYWHERE,
  }),
  ...PASSWORD_RULES,
  rule(
    "assigned-secret",
    "secret by its name",
    "ecret ECRET oken OKEN pi_key PI_KEY piKey pi-key pi-Key PI-Key PI-KEY PIKEY apikey ccess_key CCESS_KEY ccessKey rivate_key RIVATE_KEY rivateKey ncryption_key NCRYPTION_KEY igning_key IGNING_KEY redential REDENTIAL auth_key AUTH_KEY",
    `[A-Za-z_-]{3,40}(?:${SET}|>|\\s{1,2})(?:${quoted(12)}|["'\`]?([^\\s"'\`,;&<>(){}\\[\\]\\\\|]))`,
    { left: ANYWHERE, endOf: settingEnd, check: (value) => value.length >= 12 && looksRandom(value) },
  ),

  // Whom it names
  rule("email", "e-mail address", "@", "@[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){0,4}\\.[A-Za-z]{2,12}", {
    left: /[A-Za-z0-9._%+-]{1,64}$/,
    check: isReachable,
    personal: true,
  }),
  rule(
    "user",
    "user name",
    "/home/ /Users/ \\home\\ \\Users\\",
    "(?:/(?:home|Users)/|\\\\(?:home|Users)\\\\{1,8})([^\\s/\\\\])",
    {
      left: new RegExp(`${BEFORE_HOME}$`),
      // Only systems with a folder of this name allow blanks in those below it.
      endOf: (text, at, start) => endOfUser(text, start, text.slice(at, start).includes("Users")),
      check: isPersonName,
      personal: true,
    },
  ),
];

/** Kinds that no pattern finds: what a `.env` file holds, keys in PEM, and what the user's own patterns name. */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  "private-key": "private key",
  "env-value": "value from a .env file",
  own: "your own pattern",
};

const NAMES = new Map([...RULES.map(({ id, name }) => [id, name] as const), ...Object.entries(OTHER_KINDS)]);

/** What a kind is called, for readers. */
export function nameOfKind(id: string): string {
  return NAMES.get(id) ?? id;
}

const PERSONAL = new Set(RULES.filter(({ personal }) => personal).map(({ id }) => id));

/** Whether a kind names a person, instead of opening something. */
export function isPersonal(id: string): boolean {
  return PERSONAL.has(id);
}
