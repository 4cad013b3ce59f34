/**
 * The queue's table as the model of the protocol sees it: rows, who has claimed them, what they are parked for, and the
 * transactions that are open on them. A claim is one statement: the row is chosen when the statement begins and changes when it commits.
 */
import type { InHand } from './protocol-model-worker.ts';

/** A delivery in the table. */
export interface ModelRow {
  worker: number | null;
  attempt: number;
  /** A parked row is due at no time. */
  parkedFor: 'hold' | 'approval' | null;
}

export class ModelTable {
  readonly #rows = new Map<number, ModelRow>();
  /** The row that each open transaction has locked. */
  readonly #open = new Map<number, number>();
  readonly settled = new Set<number>();
  /** A row in `standstills`: no worker claims anything. */
  isFrozen = false;
  /** Its `is_closed`: no mail is accepted. */
  isClosed = false;
  #lastTransaction = 0;

  get size(): number {
    return this.#rows.size;
  }

  /** Whether there is a row that a worker has or may have. */
  get isWaiting(): boolean {
    return [...this.#rows.values()].some(({ parkedFor }) => parkedFor === null);
  }

  get openTransactions(): readonly number[] {
    return [...this.#open.keys()];
  }

  get isInHand(): boolean {
    return this.holders().length > 0;
  }

  mails(): number[] {
    return [...this.#rows.keys()];
  }

  row(mail: number): Readonly<ModelRow> | undefined {
    return this.#rows.get(mail);
  }

  add(mail: number, parkedFor: ModelRow['parkedFor'] = null): void {
    this.#rows.set(mail, { worker: null, attempt: 0, parkedFor });
  }

  remove(mail: number): void {
    this.#rows.delete(mail);
  }

  /** Null where another open transaction has locked the row. */
  begin(mail: number): number | null {
    if ([...this.#open.values()].includes(mail)) return null;
    this.#lastTransaction += 1;
    this.#open.set(this.#lastTransaction, mail);
    return this.#lastTransaction;
  }

  /** The row, to be changed; undefined where the row or the transaction is gone. */
  commit(transaction: number): ModelRow | undefined {
    const mail = this.#open.get(transaction);
    this.#open.delete(transaction);
    return mail === undefined ? undefined : this.#rows.get(mail);
  }

  /** The first row that a worker may claim. Locked rows are skipped. */
  claimable(isFreezeIgnored = false): number | undefined {
    if (this.isFrozen && !isFreezeIgnored) return undefined;
    const locked = new Set(this.#open.values());
    const found = [...this.#rows].find(
      ([mail, { worker, parkedFor }]) => worker === null && parkedFor === null && !locked.has(mail),
    );
    return found?.[0];
  }

  park(mail: number): void {
    const row = this.#rows.get(mail);
    if (row) row.parkedFor = 'hold';
  }

  unpark(mail: number, parkedFor: 'hold' | 'approval'): void {
    const row = this.#rows.get(mail);
    if (row?.parkedFor === parkedFor) row.parkedFor = null;
  }

  holders(): number[] {
    return [...this.#rows.values()].flatMap(({ worker }) => (worker === null ? [] : [worker]));
  }

  /** Everything that a worker has claimed waits again. */
  giveBack(epoch: number): void {
    for (const row of this.#rows.values()) if (row.worker === epoch) row.worker = null;
  }

  /** Claims of a worker that it does not know of wait again. */
  releaseOrphanedRows(epoch: number, hands: ReadonlyMap<number, InHand>): void {
    for (const [mail, row] of this.#rows) {
      if (row.worker !== epoch || hands.get(mail)?.epoch === epoch) continue;
      row.worker = null;
      row.attempt -= 1;
    }
  }

  /** The attempt is not counted. False when the row is another worker's by now. */
  release(mail: number, hand: InHand): boolean {
    const row = this.#rows.get(mail);
    if (row?.worker !== hand.epoch || row.attempt !== hand.attempt) return false;
    row.worker = null;
    row.attempt -= 1;
    return true;
  }

  /** The attempt is counted, and the next one follows. */
  putBack(mail: number, hand: InHand): void {
    const row = this.#rows.get(mail);
    if (row?.worker === hand.epoch && row.attempt === hand.attempt) row.worker = null;
  }

  settleAccepted(mail: number, epoch: number): void {
    const row = this.#rows.get(mail);
    if (row === undefined || (row.worker !== epoch && row.worker !== null)) return;
    this.#rows.delete(mail);
    this.settled.add(mail);
  }

  /** The rows of another cell's table, as they are there now. */
  copyFrom(other: ModelTable): void {
    this.#rows.clear();
    for (const [mail, row] of other.#rows) this.#rows.set(mail, { ...row });
  }

  isSameAs(other: ModelTable): boolean {
    const text = (rows: ReadonlyMap<number, ModelRow>) => JSON.stringify([...rows].sort(([a], [b]) => a - b));
    return text(this.#rows) === text(other.#rows);
  }

  clear(): void {
    this.#rows.clear();
  }
}
