/** A source of numbers that gives the same ones for the same seed, on every machine. */
export type Random = {
  /** 0 ≤ x < 1. */
  float(): number;
  /** `min` ≤ n ≤ `max`. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  hex(digits: number): string;
  uuid(): string;
  /** Letters and digits, as in `toolu_…` and `msg_…`. */
  base62(length: number): string;
  /** Skewed as sizes in real logs are: most near `median`, a few many times larger. */
  logNormal(median: number, sigma: number): number;
};

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
const BASE62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Small fast counter generator (sfc32), seeded from one integer. */
export function createRandom(seed: number): Random {
  let a = 0x9e3779b9;
  let b = seed | 0;
  let c = 0x243f6a88;
  let counter = 1;

  function word(): number {
    const t = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    return t >>> 0;
  }
  for (let round = 0; round < 12; round++) word();

  const float = () => word() / 4294967296;
  const int = (min: number, max: number) => min + Math.floor(float() * (max - min + 1));

  function hex(digits: number): string {
    let text = "";
    while (text.length < digits) {
      const bits = word();
      text += HEX[bits & 255]! + HEX[(bits >>> 8) & 255]! + HEX[(bits >>> 16) & 255]! + HEX[bits >>> 24]!;
    }
    return text.slice(0, digits);
  }

  return {
    float,
    int,
    chance: (probability) => float() < probability,
    pick: (items) => items[Math.floor(float() * items.length)]!,
    hex,
    uuid() {
      const h = hex(32);
      const variant = "89ab"[word() & 3];
      return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-${variant}${h.slice(17, 20)}-${h.slice(20)}`;
    },
    base62(length) {
      let text = "";
      for (let i = 0; i < length; i++) text += BASE62[word() % 62];
      return text;
    },
    logNormal(median, sigma) {
      const gauss = Math.sqrt(-2 * Math.log(1 - float())) * Math.cos(2 * Math.PI * float());
      return median * Math.exp(sigma * gauss);
    },
  };
}
