import type { Scanner } from "@/lib/server/index/scanner";
import type { Catalog } from "@/lib/server/library/catalog";
import type { LibraryIndex } from "../index/library-index";
import { listSources } from "./list-sources";

type World = { catalog: Catalog; scanner: Scanner; index: LibraryIndex };

/** The sessions to be searched, listed anew when the library or the index has changed. */
export class SearchListing {
  readonly #world: World;
  #number = 0;
  #version = "";
  #sources: ReturnType<typeof listSources> = [];

  constructor(world: World) {
    this.#world = world;
  }

  now(): { number: number; sources: ReturnType<typeof listSources> } {
    const { catalog, scanner, index } = this.#world;
    const version = `${catalog.revision} ${scanner.revision} ${index.state.path} ${index.state.epoch}`;
    if (version !== this.#version) {
      this.#sources = listSources(this.#world);
      this.#version = version;
      this.#number += 1;
    }
    return { number: this.#number, sources: this.#sources };
  }
}
