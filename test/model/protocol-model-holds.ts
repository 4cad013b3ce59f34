/**
 * Holds in the protocol model: in force in the table, cached by a worker since its last read, and the mail parked because of
 * them. Parking checks the table: a hold that has ended meanwhile parks nothing.
 */
import type { ModelTable } from './protocol-model-table.ts';

export class ModelHolds {
  readonly #inForce = new Set<number>();
  readonly #known = new Map<string, ReadonlySet<number>>();
  readonly #table: ModelTable;
  readonly #parksUnseen: boolean;

  /** `parksUnseen` breaks this rule. */
  constructor(table: ModelTable, parksUnseen: boolean) {
    this.#table = table;
    this.#parksUnseen = parksUnseen;
  }

  begin(mail: number): void {
    this.#inForce.add(mail);
  }

  /** Parked mail becomes waiting mail again. */
  end(mail: number): void {
    this.#inForce.delete(mail);
    this.#table.unpark(mail, 'hold');
  }

  /** A worker reads the holds that are in force. */
  read(worker: string): void {
    this.#known.set(worker, new Set(this.#inForce));
  }

  isKnownTo(worker: string, mail: number): boolean {
    return this.#known.get(worker)?.has(mail) === true;
  }

  /** A worker parks mail that it considers held. */
  park(mail: number): void {
    if (this.#parksUnseen || this.#inForce.has(mail)) this.#table.park(mail);
  }

  /** Mail that moved from another cell may be parked under a hold of that cell. */
  unparkForgotten(): void {
    for (const mail of this.#table.mails()) if (!this.#inForce.has(mail)) this.#table.unpark(mail, 'hold');
  }

  /** Ends every hold. */
  endAll(): void {
    for (const mail of [...this.#inForce]) this.end(mail);
  }
}
