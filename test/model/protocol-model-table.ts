/**
 * The queue's table in the protocol model: rows, their claims, why they are parked, and the open transactions on them. A claim
 * is one statement: it chooses the row when it starts and changes the row when it commits.
 */
import type { InHand } from './protocol-model-worker.ts';

/** A delivery in the table. */
export interface ModelRow {
  worker: number | null;
  attempt: number;
  /** A parked row has no due time. */
  parkedFor: 'hold' | 'approval' | null;
}

export class ModelTable {
  readonly #rows = new Map<number, ModelRow>();
  /** The row that each open transaction has locked. */
  readonly #open = new Map<number, number>();
  readonly settled = new Set<number>();
  /** A row in `standstills`: no worker claims mail. */
  isFrozen = false;
  /** Its `is_closed`: no mail is accepted. */
  isClosed = false;
  #lastTransaction = 0;

  get size(): number {
    return this.#rows.size;
  }

  /** Whether a worker has claimed a row or could. */
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

  /** Null if another open transaction has locked the row. */
  begin(mail: number): number | null {
    if ([...this.#open.values()].includes(mail)) return null;
    this.#lastTransaction += 1;
    this.#open.set(this.#lastTransaction, mail);
    return this.#lastTransaction;
  }

  /** The row to change; undefined if the row or the transaction is gone. */
  commit(transaction: number): ModelRow | undefined {
    const mail = this.#open.get(transaction);
    this.#open.delete(transaction);
    return mail === undefined ? undefined : this.#rows.get(mail);
  }

  /** The first row that a worker can claim. Locked rows are skipped. */
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

  /** Every row that a worker has claimed waits again. */
  releaseAll(epoch: number): void {
    for (const row of this.#rows.values()) if (row.worker === epoch) row.worker = null;
  }

  /** Releases claims that the worker does not know about. */
  releaseOrphanedRows(epoch: number, hands: ReadonlyMap<number, InHand>): void {
    for (const [mail, row] of this.#rows) {
      if (row.worker !== epoch || hands.get(mail)?.epoch === epoch) continue;
      row.worker = null;
      row.attempt -= 1;
    }
  }

  /** Does not count the attempt. False if another worker owns the row. */
  release(mail: number, hand: InHand): boolean {
    const row = this.#rows.get(mail);
    if (row?.worker !== hand.epoch || row.attempt !== hand.attempt) return false;
    row.worker = null;
    row.attempt -= 1;
    return true;
  }

  /** Counts the attempt and schedules the next one. */
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

  /** Copies the current rows of another cell's table. */
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
