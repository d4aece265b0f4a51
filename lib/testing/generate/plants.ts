import type { Random } from "./random";
import type { Plant, PlantPlace } from "./truth";

/** Puts one word of its own into one text of each place, so that a search can be checked for recall. */
export type Planter = {
  /** The text, with the place's word in it if its time has come. */
  plant(place: PlantPlace, text: string): string;
  /** To be told of every line with text: notes which planted words stand in it. */
  claim(uuid: string, agentId: string | null, content: unknown): void;
};

const LETTERS = "bcdfghjklmnprstvwz";
const PLACES: readonly PlantPlace[] = ["prompt", "text", "thinking", "input", "output", "agent"];

/** Nothing else in a generated tree has `qx` in it, and no two sessions share a word. */
function plantedWord(random: Random, sessionId: string, place: PlantPlace): string {
  let word = "qx";
  const digits = sessionId.replaceAll("-", "").slice(0, 9);
  for (const digit of digits) word += LETTERS[Number.parseInt(digit, 16)];
  return `${word}${place[0]}${place[1]}${LETTERS[random.int(0, 17)]}`;
}

/** One word a place: it goes into one of the first `spread` texts offered there. */
export function createPlanter(random: Random, sessionId: string, spread: number, found: Plant[]): Planter {
  const waiting = new Map(
    PLACES.map((place) => [
      place,
      {
        word: plantedWord(random, sessionId, place),
        after: random.int(0, place === "agent" ? Math.min(1, spread) : spread),
      },
    ]),
  );
  let unclaimed: { place: PlantPlace; word: string }[] = [];
  return {
    plant(place, text) {
      const next = waiting.get(place);
      if (!next) return text;
      if (next.after-- > 0) return text;
      waiting.delete(place);
      unclaimed.push({ place, word: next.word });
      const gap = text.indexOf(" ", Math.floor(text.length / 2));
      return gap < 0 ? `${text} ${next.word}` : `${text.slice(0, gap)} ${next.word}${text.slice(gap)}`;
    },
    claim(uuid, agentId, content) {
      if (unclaimed.length === 0) return;
      const text = JSON.stringify(content);
      for (const plant of unclaimed) {
        if (text.includes(plant.word)) found.push({ ...plant, sessionId, agentId, uuid });
      }
      unclaimed = unclaimed.filter((plant) => !text.includes(plant.word));
    },
  };
}
