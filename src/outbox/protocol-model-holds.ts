/**
 * Holds as the model of the protocol sees them: in force in the table, known to a worker since it last looked, and the mail
 * that was parked because of them. Parking looks at the table: a hold that has ended meanwhile parks nothing.
 */
export class ModelHolds {
  readonly #inForce = new Set<number>();
  readonly #parked = new Set<number>();
  readonly #known = new Map<string, ReadonlySet<number>>();
  readonly #parksUnseen: boolean;

  /** `parksUnseen` breaks the rule. */
  constructor(parksUnseen: boolean) {
    this.#parksUnseen = parksUnseen;
  }

  begin(mail: number): void {
    this.#inForce.add(mail);
  }

  /** What is parked waits again. */
  end(mail: number): void {
    this.#inForce.delete(mail);
    this.#parked.delete(mail);
  }

  /** A worker reads which holds are in force. */
  read(worker: string): void {
    this.#known.set(worker, new Set(this.#inForce));
  }

  isKnownTo(worker: string, mail: number): boolean {
    return this.#known.get(worker)?.has(mail) === true;
  }

  /** A worker gives back mail that it takes for held. */
  park(mail: number): void {
    if (this.#parksUnseen || this.#inForce.has(mail)) this.#parked.add(mail);
  }

  isParked(mail: number): boolean {
    return this.#parked.has(mail);
  }

  /** Every hold ends. */
  endAll(): void {
    for (const mail of [...this.#inForce]) this.end(mail);
  }
}
