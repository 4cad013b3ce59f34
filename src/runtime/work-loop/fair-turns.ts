/**
 * Work of which only so much is done at once, in fair order: organizations take turns, and within an organization what is
 * more urgent goes first. So nobody's mail waits for all of somebody else's.
 *
 * It owns what waits. Who leaves hands its place on, so that nobody can slip in between.
 */
export interface Party {
  readonly organizationId: string;
  /** The lower, the sooner. */
  readonly priority: number;
}

type Go = () => void;

export class FairTurns {
  readonly #atOnce: number;
  #running = 0;
  /** By organization, then by priority. The one that had a turn last is at the end. */
  readonly #waiting = new Map<string, Go[][]>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async take<T>(party: Party, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await new Promise<void>((go) => this.#wait(party, go));
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #wait({ organizationId, priority }: Party, go: Go): void {
    const lines = this.#waiting.get(organizationId) ?? [];
    lines[priority] ??= [];
    lines[priority].push(go);
    this.#waiting.set(organizationId, lines);
  }

  #next(): Go | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [organizationId, lines] = first;
    this.#waiting.delete(organizationId);
    const go = lines.find((line) => line?.length > 0)?.shift();
    if (lines.some((line) => line?.length > 0)) this.#waiting.set(organizationId, lines);
    return go;
  }
}
