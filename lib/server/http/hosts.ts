import type { ShareAddress } from "@/lib/wire/shares";

const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];
const WILDCARD = new Set(["0.0.0.0", "::", ""]);

/**
 * A value of the Host header that is ours as it stands. `https`: a TLS proxy may stand in front of it. `kind`: of this
 * machine alone, an address in its network that `--host` gave, or a name that `--allow-host` gave.
 */
export type AllowedHost = { host: string; https: boolean; kind: "loopback" | "network" | "name" };

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
    const kind = LOOPBACK.includes(name) || name.startsWith("127.") ? "loopback" : "network";
    hosts.push({ host: `${name}:${port}`, https: false, kind });
    if (port === "80") hosts.push({ host: name, https: false, kind });
  }
  for (const given of parseNames(env.BACKSCROLL_ALLOW_HOSTS)) {
    hosts.push({ host: given, https: true, kind: "name" });
    if (!/:\d+$/.test(given)) hosts.push({ host: `${given}:${port}`, https: true, kind: "name" });
  }
  return hosts;
}

function parseNames(json: string | undefined): string[] {
  if (!json) return [];
  const names: unknown = JSON.parse(json);
  if (!Array.isArray(names)) throw new TypeError("BACKSCROLL_ALLOW_HOSTS must be a JSON array of strings");
  return names.map((name) => String(name).toLowerCase());
}

/**
 * Whether the owner may be asked for at this Host: not at an address in the network, where whoever listens on the way
 * would have the token to everything. With `--allow-host` it is as good as any other.
 */
export function isOwnersHost(host: string | null, allowed: readonly AllowedHost[]): boolean {
  const given = host?.toLowerCase();
  const same = allowed.filter((one) => one.host === given);
  return same.length === 0 || same.some(({ kind }) => kind !== "network");
}

/** The addresses at which a link can be opened, each once. */
export function shareAddresses(allowed: readonly AllowedHost[]): ShareAddress[] {
  const addresses = allowed.map(({ host, kind }): ShareAddress => {
    // A name without a port is that of a proxy, as one has it in front for TLS.
    const encrypted = kind === "name" && !/:\d+$/.test(host);
    return { origin: `${encrypted ? "https" : "http"}://${host}`, kind, encrypted };
  });
  return addresses.filter(({ origin }, at) => addresses.findIndex((other) => other.origin === origin) === at);
}
