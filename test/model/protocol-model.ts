/**
 * The queue's protocol as a small state machine that can run in any order: three workers, one table, one mail server. Claim,
 * lease, epoch, journal, settle and takeover have the meaning of docs/internals/queue.md, reduced to what decides whether a
 * mail is lost or sent twice. The real failure detector decides which workers are dead. The test tries schedules, crashes and
 * lost replies.
 *
 * `rules` can be broken one by one, so that the test can show that it would notice.
 */
import { HEARTBEAT_INTERVAL_MS, TRUST_MS } from '../../src/outbox/lease.ts';
import { ModelHolds } from './protocol-model-holds.ts';
import { ModelRegistry } from './protocol-model-registry.ts';
import type { ModelSettings } from './protocol-model-rules.ts';
import { ModelTable } from './protocol-model-table.ts';
import {
  first,
  interrupt,
  journalOf,
  type ModelAcceptance,
  newFailureDetector,
  newWorker,
  type Worker,
} from './protocol-model-worker.ts';

export class ProtocolModel {
  readonly #settings: ModelSettings;
  readonly table = new ModelTable();
  readonly #registered = new ModelRegistry();
  readonly #workers: readonly Worker[];
  readonly #holds: ModelHolds;
  readonly acceptances: ModelAcceptance[] = [];
  isDatabaseUp = true;
  #nowMs = 0;

  constructor(settings: ModelSettings) {
    this.#settings = settings;
    const folder = new Map<number, Set<number>>();
    this.#workers = ['one', 'two', 'three'].map((name) =>
      newWorker(name, settings.sharedFolder ? folder : new Map<number, Set<number>>()),
    );
    this.#holds = new ModelHolds(this.table, settings.rules?.parksUnseen === true);
    for (let mail = 0; mail < settings.mails; mail += 1) this.table.add(mail);
    for (const worker of this.#workers) this.#register(worker);
  }

  /** Time passes. Running workers send heartbeats, check each other and reconcile at the real intervals. */
  pass(ms: number): void {
    for (let left = ms; left > 0; left -= HEARTBEAT_INTERVAL_MS) {
      this.#nowMs += Math.min(left, HEARTBEAT_INTERVAL_MS);
      for (const worker of this.#workers) this.beat(worker.name);
    }
  }

  /** Everything is suspended, including the machine's monotonic clock; the database's clock runs on. */
  sleep(ms: number): void {
    this.#registered.age(ms);
  }

  beat(name: string, isReplyLost = false): void {
    const worker = this.#running(name);
    if (worker === null || (worker.isStopping && this.#settings.rules?.stopsSilently)) return;
    const own = this.isDatabaseUp ? this.#registered.get(worker.epoch) : null;
    if (own) {
      own.beats += 1;
      own.beatMs = this.#nowMs;
    }
    if (own === undefined && !worker.isStopping) this.#renew(worker);
    if (!own || isReplyLost) {
      worker.detector.interrupt();
      return;
    }
    worker.trustedMs = this.#nowMs;
    this.#holds.read(name);
    this.#look(worker);
    this.#reconcile(worker);
  }

  claim(name: string, isReplyLost = false): void {
    this.beginClaim(name);
    this.commitClaim(name, isReplyLost);
  }

  beginClaim(name: string): void {
    const worker = this.#running(name);
    if (!worker || worker.isStopping || worker.claim || !this.isDatabaseUp) return;
    if (!this.#isTrusted(worker, worker.epoch)) return;
    const mail = this.table.claimable(this.#settings.rules?.claimsFromFrozenOrganization);
    const transaction = mail === undefined ? null : this.table.begin(mail);
    if (mail === undefined || transaction === null) return;
    worker.claim = { transaction, mail, epoch: worker.epoch };
  }

  /** The server commits even if the worker is gone by then. */
  commitClaim(name: string, isReplyLost = false): void {
    const worker = this.#named(name);
    const { claim } = worker;
    if (!claim) return;
    worker.claim = null;
    const row = this.table.commit(claim.transaction);
    if (row === undefined) return;
    row.worker = claim.epoch;
    row.attempt += 1;
    if (isReplyLost || worker.isStopping || worker.state === 'crashed' || worker.epoch !== claim.epoch)
      return;
    const { epoch, mail } = claim;
    worker.hands.set(mail, { epoch, attempt: row.attempt, stage: 'claimed', acceptance: null });
  }

  /** Writes the final dot of the claimed mail, unless the send is called off. The server accepts the mail. */
  dot(name: string): void {
    const worker = this.#running(name);
    const found = worker && first(worker.hands, 'claimed');
    if (!worker || !found) return;
    const [mail, hand] = found;
    const isHeld = this.#holds.isKnownTo(name, mail);
    if (isHeld || (!this.#settings.rules?.trustsItsClaim && !this.#isTrusted(worker, hand.epoch))) {
      worker.hands.delete(mail);
      if (this.isDatabaseUp && this.table.release(mail, hand) && isHeld) this.#holds.park(mail);
      return;
    }
    hand.stage = 'at the dot';
    hand.acceptance = { mail, replyRead: false, isUncertain: false };
    this.acceptances.push(hand.acceptance);
    this.#settings.onAccepted?.(hand.acceptance);
  }

  /** The worker reads the server's 250 and writes it to the journal at once. */
  reply(name: string): void {
    const worker = this.#running(name);
    const found = worker && first(worker.hands, 'at the dot');
    if (!worker || !found) return;
    const [mail, hand] = found;
    hand.stage = 'accepted';
    if (hand.acceptance) hand.acceptance.replyRead = this.table.row(mail)?.worker === hand.epoch;
    journalOf(worker, hand.epoch).add(mail);
  }

  /** The connection broke after the dot. The outcome is unknown, so the mail is tried again. */
  loseReply(name: string): void {
    const worker = this.#running(name);
    const found = worker && first(worker.hands, 'at the dot');
    if (!worker || !found || !this.isDatabaseUp) return;
    const [mail, hand] = found;
    if (hand.acceptance) hand.acceptance.isUncertain = true;
    worker.hands.delete(mail);
    this.table.putBack(mail, hand);
  }

  settle(name: string): void {
    const worker = this.#running(name);
    if (worker === null) return;
    for (const [mail, hand] of worker.hands) {
      if (hand.stage !== 'accepted') continue;
      if (this.isDatabaseUp) this.table.settleAccepted(mail, hand.epoch);
      else if (!this.#settings.rules?.givesUpSettling) continue;
      worker.hands.delete(mail);
    }
  }

  freeze(name: string): void {
    const worker = this.#running(name);
    if (!worker) return;
    worker.state = 'frozen';
    interrupt(worker);
  }

  thaw(name: string): void {
    const worker = this.#named(name);
    if (worker.state === 'frozen') worker.state = 'running';
  }

  hold(mail: number, isBegun = true): void {
    if (this.isDatabaseUp) this.#holds[isBegun ? 'begin' : 'end'](mail);
  }

  /** After a move: unparks mail whose hold this cell does not have. */
  unparkArrived(): void {
    this.#holds.unparkForgotten();
  }

  /** A planned stop begins: the worker claims no more, and releases what has not reached its final dot. */
  beginStop(name: string): void {
    const worker = this.#running(name);
    if (worker === null || worker.isStopping) return;
    worker.isStopping = true;
    for (const [mail, hand] of worker.hands) {
      if (hand.stage !== 'claimed' && !this.#settings.rules?.stopsUnanswered) continue;
      worker.hands.delete(mail);
      if (this.isDatabaseUp) this.table.release(mail, hand);
    }
  }

  /** It ends: the worker settles what was accepted. Where replies are missing, somebody ended the wait for them. */
  endStop(name: string): void {
    const worker = this.#running(name);
    if (!worker?.isStopping) return;
    interrupt(worker);
    if (!this.#settings.rules?.stopsUnsettled) this.settle(name);
    this.crash(name);
    if (this.isDatabaseUp) this.#leave(worker.epoch);
  }

  /** A whole planned stop, in which all receivers reply. */
  stop(name: string): void {
    this.beginStop(name);
    while (this.#running(name) && first(this.#named(name).hands, 'at the dot')) this.reply(name);
    this.endStop(name);
  }

  /** The process dies; its journal stays on the disk. */
  crash(name: string): void {
    const worker = this.#named(name);
    worker.state = 'crashed';
    interrupt(worker);
    worker.hands.clear();
  }

  /** A new process in the same place finds the old one gone. */
  restart(name: string): void {
    const worker = this.#named(name);
    if (worker.state !== 'crashed' || !this.isDatabaseUp) return;
    worker.state = 'running';
    worker.isStopping = false;
    worker.detector = newFailureDetector();
    const before = worker.epoch;
    this.#register(worker);
    this.#takeOver(worker, before);
  }

  /** Everything that was cut off is reachable again. */
  wake(): void {
    this.isDatabaseUp = true;
    this.#holds.endAll();
    for (const { name } of this.#workers) {
      this.commitClaim(name);
      this.thaw(name);
      if (this.#named(name).isStopping) this.stop(name);
      this.restart(name);
    }
  }

  /** Every worker does its pending work once. */
  workOnce(): void {
    this.pass(HEARTBEAT_INTERVAL_MS);
    const rows = this.table.size;
    for (const { name } of this.#workers) {
      for (let one = 0; one < rows; one += 1) {
        this.claim(name);
        this.dot(name);
        this.reply(name);
      }
      this.settle(name);
    }
  }

  /** Every process wakes up and works until no work is left. */
  recover(): void {
    this.wake();
    for (let round = 0; round < 40 && this.table.size > 0; round += 1) this.workOnce();
  }

  #register(worker: Worker): void {
    worker.epoch = this.#registered.add(this.#nowMs);
    worker.trustedMs = this.#nowMs;
  }

  /** The worker was declared dead: it drops its claims, but mail at its final dot continues under the old epoch. */
  #renew(worker: Worker): void {
    for (const [mail, hand] of worker.hands) if (hand.stage === 'claimed') worker.hands.delete(mail);
    this.#register(worker);
  }

  #isTrusted(worker: Worker, epoch: number): boolean {
    return worker.epoch === epoch && this.#nowMs - worker.trustedMs < TRUST_MS;
  }

  #look(worker: Worker): void {
    const epochs = new Set([...this.#registered.epochs, ...this.table.holders()]);
    epochs.delete(worker.epoch);
    const seen = [...epochs].map((epoch) => {
      const beats = this.#registered.get(epoch)?.beats;
      return { epoch, beat: beats === undefined ? null : String(beats) };
    });
    const silent = worker.detector.look(seen, { askedMs: this.#nowMs, readMs: this.#nowMs });
    const old = seen.filter(({ epoch }) => this.#registered.isOld(epoch, this.#nowMs));
    for (const { epoch } of this.#settings.rules?.judgesByAge ? old : silent) this.#takeOver(worker, epoch);
  }

  #takeOver(by: Worker, dead: number): void {
    if (!this.#settings.rules?.forgetsJournals) {
      for (const mail of by.folder.get(dead) ?? []) this.table.settleAccepted(mail, dead);
    }
    this.#leave(dead);
  }

  #leave(epoch: number): void {
    this.#registered.remove(epoch);
    this.table.releaseAll(epoch);
  }

  #reconcile(worker: Worker): void {
    // A claim in progress is not an orphaned claim.
    if (this.#settings.rules?.neverReconciles || worker.claim) return;
    this.table.releaseOrphanedRows(worker.epoch, worker.hands);
  }

  #named(name: string): Worker {
    return this.#workers.find((worker) => worker.name === name) as Worker;
  }

  #running(name: string): Worker | null {
    const worker = this.#named(name);
    return worker.state === 'running' ? worker : null;
  }
}
