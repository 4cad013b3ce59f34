/**
 * `postrider org move` as the model sees it: the steps of src/operations/move, each done in one go, with a kill possible between any
 * two. The step is recorded in control. A command whose session in control has ended has lost its lock: it goes on without knowing,
 * and another command may be started beside it.
 */
import type { MoveStep } from '../../src/cells/move-store.ts';
import type { CellName, CellRules, CellsModel } from './cells-model.ts';
import type { ModelTable } from './protocol-model-table.ts';

/** What a running command has in its memory. */
interface Run {
  readonly left: Action[];
  /** The move that it carries out. */
  readonly id: number;
  waitsFor: readonly number[];
  /** Of the time that it marked the organization. */
  fence: number;
}

/** `wait` is tried again; `give up` calls the move off, or goes on where the organization has arrived already. */
type Result = 'done' | 'wait' | 'give up';
type Action = (run: Run) => Result;

export class ModelMover {
  readonly #model: CellsModel;
  readonly #rules: CellRules;
  step: MoveStep = 'ended';
  #from: CellName = 'main';
  #to: CellName = 'two';
  #id = 0;
  #fence = 0;
  #running: Run | null = null;
  #leftBehind: Run | null = null;

  constructor(model: CellsModel, rules: CellRules) {
    this.#model = model;
    this.#rules = rules;
  }

  /** The command is run: it begins a move, or goes on with the one that was cut off. */
  start(): void {
    if (this.#running !== null || !this.#model.areDatabasesUp) return;
    if (this.step === 'ended') {
      this.#from = this.#model.home;
      this.#to = this.#from === 'main' ? 'two' : 'main';
      this.step = 'preparing';
      this.#id += 1;
    }
    this.#running = { left: this.#actionsOf(this.step), id: this.#id, waitsFor: [], fence: 0 };
  }

  /** The next action. A move that was cut off is gone on with. */
  advance(): void {
    if (!this.#model.areDatabasesUp) return;
    if (this.#running === null && this.step !== 'ended') this.start();
    if (this.#running !== null) this.#act(this.#running);
    if (this.#running?.left.length === 0) this.#running = null;
  }

  kill(): void {
    this.#running = null;
  }

  /** Its lock is gone with its session; it does not know. */
  loseLock(): void {
    if (this.#running !== null) this.#leftBehind = this.#running;
    this.#running = null;
  }

  /** The command that has lost its lock goes on. It checks the lock before each action. */
  advanceLeftBehind(isChecked = true): void {
    const run = this.#leftBehind;
    if (run === null || !this.#model.areDatabasesUp) return;
    const isLast = run.left[0] === this.#arrive;
    if (isChecked && (isLast || !this.#rules.checksLockOnlyAtTheEnd)) this.#leftBehind = null;
    else this.#act(run);
    if (run.left.length === 0) this.#leftBehind = null;
  }

  /** It had checked its lock right before the lock was lost, and then stood still: only the placement itself can tell. */
  arriveLate(): void {
    if (this.#leftBehind?.left[0] === this.#arrive) this.advanceLeftBehind(false);
  }

  /** The command is run with --abandon. */
  abandon(): void {
    if (!this.#model.areDatabasesUp || this.step === 'ended') return;
    this.kill();
    if (!this.#rollBackMove()) return;
    this.#target.clear();
    this.#target.isFrozen = false;
    this.step = 'ended';
  }

  get #source(): ModelTable {
    return this.#model.cells[this.#from].table;
  }

  get #target(): ModelTable {
    return this.#model.cells[this.#to].table;
  }

  #act(run: Run): void {
    const action = run.left[0];
    const result = action?.(run) ?? 'done';
    if (result === 'done') run.left.shift();
    if (result !== 'give up') return;
    const mayCallOff = run === this.#running || this.#rules.callsOffWithoutLock;
    const isBack = !mayCallOff || run.id !== this.#id || this.#rollBackMove();
    run.left.splice(0, run.left.length, ...(isBack ? [] : this.#actionsOf(this.step)));
  }

  #actionsOf(step: MoveStep): Action[] {
    const settling = [this.#unparkArrived, this.#openTarget, this.#record('clearing')];
    const clearing = this.#rules.opensSourceBeforeClearing
      ? [this.#openSource, this.#clearSource, this.#record('ended')]
      : [this.#clearSource, this.#openSource, this.#record('ended')];
    if (step === 'ended') return [];
    if (step === 'clearing') return clearing;
    if (step === 'settling') return [...settling, ...clearing];
    const moving = [...this.#quieting(), ...this.#moving(), ...settling, ...clearing];
    return step === 'preparing' ? [this.#prepare, this.#record('quieting'), ...moving] : moving;
  }

  #quieting(): Action[] {
    return [this.#stopSource, this.#noteTransactions, this.#waitForTransactions, this.#claimsReleased];
  }

  #moving(): Action[] {
    const notice = this.#rules.skipsNotice ? [] : [this.#notice];
    const ended = [this.#noteTransactions, this.#waitForTransactions, this.#nothingInHand];
    return [this.#mark, ...notice, this.#closeSource, ...ended, this.#copy, this.#compare, this.#arrive];
  }

  readonly #record =
    (step: MoveStep): Action =>
    () => {
      this.step = step;
      return 'done';
    };

  readonly #prepare: Action = () => {
    this.#target.isFrozen = this.#rules.opensTargetEarly !== true;
    this.#target.clear();
    return 'done';
  };

  readonly #stopSource: Action = () => {
    this.#source.isFrozen = true;
    return 'done';
  };

  readonly #noteTransactions: Action = (run) => {
    run.waitsFor = this.#rules.ignoresTransactions ? [] : this.#source.openTransactions;
    return 'done';
  };

  readonly #waitForTransactions: Action = ({ waitsFor }) =>
    this.#source.openTransactions.some((one) => waitsFor.includes(one)) ? 'wait' : 'done';

  readonly #claimsReleased: Action = () =>
    this.#source.isInHand && !this.#rules.movesClaimedRows ? 'wait' : 'done';

  readonly #nothingInHand: Action = () =>
    this.#source.isInHand && !this.#rules.movesClaimedRows ? 'give up' : 'done';

  readonly #mark: Action = (run) => {
    this.step = 'moving';
    this.#fence += 1;
    run.fence = this.#fence;
    this.#model.isMarked = true;
    return 'done';
  };

  readonly #notice: Action = () => {
    this.#model.api.noticed();
    return 'done';
  };

  readonly #closeSource: Action = () => {
    // UPDATE: without a standstill there is nothing to close.
    this.#source.isClosed = this.#source.isFrozen;
    return 'done';
  };

  readonly #copy: Action = () => {
    this.#target.copyFrom(this.#source);
    if (this.#rules.movesClaimedRows)
      for (const epoch of this.#target.holders()) this.#target.releaseAll(epoch);
    return 'done';
  };

  readonly #compare: Action = () =>
    this.#target.isSameAs(this.#source) || this.#rules.movesClaimedRows ? 'done' : 'give up';

  readonly #arrive: Action = ({ id, fence }) => {
    const isOurs = id === this.#id && (this.#rules.arrivesUnfenced || fence === this.#fence);
    if (this.step !== 'moving' || !isOurs) return 'give up';
    this.step = 'settling';
    this.#model.home = this.#to;
    this.#model.isMarked = false;
    return 'done';
  };

  readonly #unparkArrived: Action = () => {
    if (!this.#rules.keepsForgottenHolds) this.#model.cells[this.#to].unparkArrived();
    if (this.#rules.unparksApprovals)
      for (const mail of this.#target.mails()) this.#target.unpark(mail, 'approval');
    return 'done';
  };

  readonly #openTarget: Action = () => {
    this.#target.isFrozen = false;
    return 'done';
  };

  readonly #clearSource: Action = () => {
    this.#source.clear();
    return 'done';
  };

  readonly #openSource: Action = () => {
    this.#model.api.beginAll();
    this.#source.isFrozen = false;
    this.#source.isClosed = false;
    return 'done';
  };

  /** Everything goes on where it was. False where the organization lives in the other cell already. */
  #rollBackMove(): boolean {
    if (this.step === 'settling' || this.step === 'clearing' || this.step === 'ended') return false;
    this.step = 'quieting';
    this.#model.isMarked = false;
    this.#source.isFrozen = false;
    this.#source.isClosed = false;
    return true;
  }
}
