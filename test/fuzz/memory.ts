/**
 * Does a process keep what it should have let go? What it holds goes up and down with its garbage; the least of many
 * looks is what stays. The least of the last third is held against the least of the second third.
 */
export class MemoryWatch {
  readonly #url: string;
  readonly #looks: number[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(url: string, everyMs = 250) {
    this.#url = url;
    this.#timer = setInterval(() => void this.#look(), everyMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Megabytes that stayed at first, and at the end. */
  get kept(): { readonly before: number; readonly after: number } {
    const third = Math.floor(this.#looks.length / 3);
    const least = (looks: readonly number[]) => Math.round(Math.min(...looks) / 1024 / 1024);
    return {
      before: least(this.#looks.slice(third, 2 * third)),
      after: least(this.#looks.slice(2 * third)),
    };
  }

  async #look(): Promise<void> {
    const text = await fetch(`${this.#url}/metrics`)
      .then((answer) => answer.text())
      .catch(() => '');
    const metric = (name: string) =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1]);
    const bytes = metric('nodejs_heap_size_used_bytes') + metric('nodejs_external_memory_bytes');
    if (Number.isFinite(bytes)) this.#looks.push(bytes);
  }
}
