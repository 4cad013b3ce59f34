/**
 * A budget of a limited resource, mainly memory. Callers wait in order until their share is free. A share
 * larger than the whole budget is admitted alone.
 */
export class Budget {
  readonly #total: number;
  #used = 0;
  readonly #waiting: { readonly share: number; readonly go: () => void }[] = [];

  constructor(total: number) {
    this.#total = total;
  }

  /** Runs `work` while holding its share. */
  async hold<T>(share: number, work: () => Promise<T>): Promise<T> {
    await this.#take(share);
    try {
      return await work();
    } finally {
      this.#used -= share;
      this.#admit();
    }
  }

  #take(share: number): Promise<void> {
    if (this.#waiting.length === 0 && this.#fits(share)) {
      this.#used += share;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push({ share, go: resolve }));
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.share); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#used += next.share;
      next.go();
    }
  }

  #fits(share: number): boolean {
    return this.#used === 0 || this.#used + share <= this.#total;
  }
}
