/**
 * Limits concurrent work in fair order: organizations take turns, and within an organization more urgent work
 * goes first. So no organization waits for another's whole queue.
 *
 * Owns the waiting work. A finished item hands its slot to the next, so that no newcomer can take it first.
 */
export interface TurnOwner {
  readonly organizationId: string;
  /** Lower goes first. */
  readonly priority: number;
}

type Go = () => void;

export class FairTurns {
  readonly #atOnce: number;
  #running = 0;
  /** By organization, then by priority. The organization that had the last turn is at the end. */
  readonly #waiting = new Map<string, Go[][]>();

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  async take<T>(owner: TurnOwner, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await new Promise<void>((go) => this.#wait(owner, go));
    try {
      return await work();
    } finally {
      const next = this.#next();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  #wait({ organizationId, priority }: TurnOwner, go: Go): void {
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
