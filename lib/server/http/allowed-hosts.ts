const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];
const WILDCARD = new Set(["0.0.0.0", "::", ""]);

/** A value of the Host header that is ours as it stands. `https`: a TLS proxy may stand in front of it. */
export type AllowedHost = { host: string; https: boolean };

/**
 * Every Host header that is ours, lower case. The port is part of it; without one only on port 80, where
 * browsers leave it out. A name given with `--allow-host` is ours with our port, with the port it was given
 * with, or with none, since a proxy in front of us may listen on 80 or 443. Where the server listens and what
 * it was given is in the environment, for which see bin/cli/server-env.mjs.
 */
export function allowedHosts(env: Readonly<Record<string, string | undefined>>): AllowedHost[] {
  const port = env.BACKSCROLL_PORT ?? "4747";
  const bound = (env.BACKSCROLL_HOST ?? "").toLowerCase();
  const local = new Set(LOOPBACK);
  if (!WILDCARD.has(bound)) local.add(bound.includes(":") ? `[${bound.replace(/^\[|\]$/g, "")}]` : bound);

  const hosts: AllowedHost[] = [];
  for (const name of local) {
    hosts.push({ host: `${name}:${port}`, https: false });
    if (port === "80") hosts.push({ host: name, https: false });
  }
  for (const given of parseNames(env.BACKSCROLL_ALLOW_HOSTS)) {
    hosts.push({ host: given, https: true });
    if (!/:\d+$/.test(given)) hosts.push({ host: `${given}:${port}`, https: true });
  }
  return hosts;
}

function parseNames(json: string | undefined): string[] {
  if (!json) return [];
  const names: unknown = JSON.parse(json);
  if (!Array.isArray(names)) throw new TypeError("BACKSCROLL_ALLOW_HOSTS must be a JSON array of strings");
  return names.map((name) => String(name).toLowerCase());
}
