/**
 * Holds as the model of the protocol sees them: in force in the table, known to a worker since it last looked, and the mail
 * that was parked because of them. Parking looks at the table: a hold that has ended meanwhile parks nothing.
 */
import type { ModelTable } from './protocol-model-table.ts';

export class ModelHolds {
  readonly #inForce = new Set<number>();
  readonly #known = new Map<string, ReadonlySet<number>>();
  readonly #table: ModelTable;
  readonly #parksUnseen: boolean;

  /** `parksUnseen` breaks the rule. */
  constructor(table: ModelTable, parksUnseen: boolean) {
    this.#table = table;
    this.#parksUnseen = parksUnseen;
  }

  begin(mail: number): void {
    this.#inForce.add(mail);
  }

  /** What is parked waits again. */
  end(mail: number): void {
    this.#inForce.delete(mail);
    this.#table.unpark(mail, 'hold');
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
    if (this.#parksUnseen || this.#inForce.has(mail)) this.#table.park(mail);
  }

  /** Mail that arrived from another cell may be parked under a hold of that cell. */
  unparkForgotten(): void {
    for (const mail of this.#table.mails()) if (!this.#inForce.has(mail)) this.#table.unpark(mail, 'hold');
  }

  /** Every hold ends. */
  endAll(): void {
    for (const mail of [...this.#inForce]) this.end(mail);
  }
}
