/**
 * The API as the model of moves sees it. A request looks up where the organization lives, in a memory that is refreshed now and
 * then; its statement reaches that cell later; the transaction commits later still.
 */
import {
  type CellName,
  type CellRules,
  type CellsModel,
  type Decision,
  WAITS_FOR_APPROVAL,
} from './cells-model.ts';

type Kind = 'send' | 'approve' | 'reject';

interface Call {
  readonly kind: Kind;
  readonly mail: number;
  readonly cell: CellName;
  /** Null until the statement reaches the cell. */
  transaction: number | null;
}

export class ModelApi {
  readonly #model: CellsModel;
  readonly #rules: CellRules;
  #calls: Call[] = [];
  /** Null while the organization is known to be on its way: requests are refused with 503. */
  #known: CellName | null = 'main';
  /** Answered with 201. */
  readonly accepted = new Set<number>();
  /** Answered with 200. */
  readonly decisions = new Map<number, Decision>();

  constructor(model: CellsModel, rules: CellRules) {
    this.#model = model;
    this.#rules = rules;
  }

  parkingOf(mail: number): 'approval' | null {
    return WAITS_FOR_APPROVAL.has(mail) && !this.#rules.queuesUnapproved ? 'approval' : null;
  }

  refresh(): void {
    this.#known = this.#model.isMarked ? null : this.#model.home;
  }

  /** Longer has passed than what a process knows is good for. Statements other than sends look again before they leave. */
  noticed(): void {
    this.refresh();
    this.#calls = this.#calls.filter(({ kind, transaction }) => kind === 'send' || transaction !== null);
  }

  look(kind: Kind, mail: number): void {
    const isUnderWay = this.#calls.some((call) => call.kind === kind && call.mail === mail);
    if (this.#known === null || isUnderWay || (kind === 'send' && this.accepted.has(mail))) return;
    this.#calls.push({ kind, mail, cell: this.#known, transaction: null });
  }

  /** The statement of the first request that has none reaches its cell. */
  begin(): void {
    const call = this.#calls.find(({ transaction }) => transaction === null);
    if (call === undefined) return;
    const { isDatabaseUp, table } = this.#model.cells[call.cell];
    const isRefused =
      call.kind === 'send' ? table.isClosed && !this.#rules.acceptsWhileClosed : !this.#waits(call);
    const transaction = isRefused || !isDatabaseUp ? null : table.begin(call.mail);
    if (transaction === null) this.#drop(call);
    else call.transaction = transaction;
  }

  /**
   * Every statement that is under way reaches its cell. The model assumes this of the time that settling and clearing take: a
   * statement that the network delays for longer is accepted by the cell that the organization has left (decision 0069).
   */
  beginAll(): void {
    while (this.#calls.some(({ transaction }) => transaction === null)) this.begin();
  }

  commit(): void {
    const call = this.#calls.find(({ transaction }) => transaction !== null);
    if (call?.transaction == null) return;
    const { kind, mail, cell } = call;
    this.#drop(call);
    const { table } = this.#model.cells[cell];
    table.commit(call.transaction);
    if (kind === 'send') {
      table.add(mail, this.parkingOf(mail));
      this.accepted.add(mail);
      return;
    }
    if (kind === 'approve') table.unpark(mail, 'approval');
    else if (!this.#rules.rejectsWithoutWithdrawing) table.remove(mail);
    else table.unpark(mail, 'approval');
    this.decisions.set(mail, kind === 'approve' ? 'approved' : 'rejected');
  }

  /** Everything that is under way is answered. */
  finish(): void {
    this.beginAll();
    while (this.#calls.length > 0) this.commit();
  }

  #waits({ mail, cell }: Call): boolean {
    return this.#model.cells[cell].table.row(mail)?.parkedFor === 'approval';
  }

  #drop(call: Call): void {
    this.#calls = this.#calls.filter((one) => one !== call);
  }
}
