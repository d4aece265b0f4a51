const STEP_MS = 40;

/** Tells a step of a search when it has taken long enough: between two, whoever runs it answers others. */
export class StepPace {
  #endsAtMs = performance.now() + STEP_MS;

  isOver(): boolean {
    const nowMs = performance.now();
    if (nowMs < this.#endsAtMs) return false;
    this.#endsAtMs = nowMs + STEP_MS;
    return true;
  }
}
