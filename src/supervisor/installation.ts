/**
 * Runs all processes of one machine: PostgreSQL (unless DATABASE_URL is set), then the roles.
 *
 * States: starting → ready (→ restarting its roles one by one → ready) → stopping → stopped. `start` resolves
 * when the API is ready. `stop` may be called at any time, even during the start. It stops in reverse order
 * within ten seconds, plus the time that workers wait for receivers that have a message
 * (POSTRIDER_STOP_TIMEOUT).
 */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { setUpLink, setUpToken } from '../accounts/users/first-user.ts';
import { SANDBOX_DOMAIN } from '../domains/sandbox-domain.ts';
import { refuseUnwritable } from '../processes/data-folders.ts';
import { goLive } from '../processes/going-live.ts';
import { migrateCells } from '../processes/migrate-cells.ts';
import { packageVersion } from '../processes/package-version.ts';
import type { Config } from '../runtime/config.ts';
import { MINUTE_MS } from '../runtime/durations.ts';
import { loadKeyRing } from '../runtime/key-store.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { introduction, readyLine } from './announcement.ts';
import { DatabaseServer } from './database-server.ts';
import { localUrl, type SubmissionPorts } from './http-address.ts';
import { roleEnvironment } from './node-settings.ts';
import { BoundSockets, type OpenPorts, openPorts } from './open-ports.ts';
import {
  explainStart,
  migratedLines,
  migrateLater,
  type PreparedInstallation,
  prepareInstallation,
} from './prepare-installation.ts';
import { serveGathered } from './role-figures.ts';
import { rolePlan } from './role-plan.ts';
import { RoleProcess } from './role-process.ts';
import { restartRolling } from './rolling-restart.ts';
import { WaitProgress } from './wait-progress.ts';

interface InstallationOptions {
  readonly config: Config;
  readonly log: Log;
  readonly say: (line: string) => void;
  /** The script of each role, in starting order. */
  readonly roles: Readonly<Record<string, string>>;
  readonly commandLine: string;
  /** The roles' environment, without what the installation sets. */
  readonly env: NodeJS.ProcessEnv;
}

const READY_WITHIN_MS = MINUTE_MS;
const LISTENS_WITHIN_MS = 10_000;
/** Without receivers to wait for, a stop takes ten seconds at most: roles get seven, PostgreSQL the rest. */
const ROLES_STOP_WITHIN_MS = 7_000;
const STOP_WITHIN_MS = 9_500;
const MIN_DATABASE_STOP_MS = 2_000;

export class Installation {
  readonly #options: InstallationOptions;
  readonly #roles: RoleProcess[] = [];
  readonly #abort = new AbortController();
  readonly #sockets: BoundSockets;
  /** The version of the running code; the files on disk may be newer. */
  readonly #version = packageVersion();
  #database: DatabaseServer | undefined;
  #metrics: Service | undefined;
  #given: NodeJS.ProcessEnv = {};
  /** Number of restarts requested and not finished. */
  #restarts = 0;
  #restarted: Promise<void>;
  #isStarted: () => void = () => undefined;
  #stopping: Promise<void> | undefined;
  readonly #waiting: WaitProgress;
  #isHurried = false;

  constructor(options: InstallationOptions) {
    this.#options = options;
    this.#sockets = new BoundSockets(options.env);
    this.#waiting = new WaitProgress({
      say: options.say,
      atMostMs: options.config.stopTimeoutMs,
      isStopping: () => this.isStopping,
    });
    this.#restarted = new Promise((resolve) => {
      this.#isStarted = resolve;
    });
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  async start(): Promise<void> {
    const { config, say } = this.#options;
    for (const warning of config.warnings) say(`Warning: ${warning}`);
    await refuseUnwritable(config.dataDir);
    await goLive(config, say);
    const ports = await openPorts(this.#options, this.#sockets);
    // The roles load while the database starts, then wait: no role may act before the schema is current.
    await this.#startRoles(ports);
    for (const port of this.#sockets.unused)
      say(
        `Warning: the service manager holds port ${port}, where nothing listens. Take it out of its socket unit.`,
      );
    const databaseUrl = config.databaseUrl ?? (await this.#startDatabase());
    await this.#migrate(config.databaseDirectUrl ?? databaseUrl);
    const first = await prepareInstallation(this.#options, databaseUrl);
    // Printed before the roles start, because a new key could not be shown again if one failed to start.
    say(this.#introduction(first, ports.submission));
    this.#given = this.#environment(databaseUrl, ports);
    for (const role of this.#roles) role.waitForGo(this.#given);
    this.#metrics = await serveGathered(this.#options, this.#roles);
    await this.#untilReady();
    say(readyLine(config.mode, first.heldFor));
    this.#isStarted();
  }

  /** Replaces the roles one by one with the code on disk. Requests during a restart are combined into one. */
  restartRoles(): void {
    if (this.#restarts > 1) return;
    this.#restarts += 1;
    this.#restarted = this.#restarted
      .then(() => this.#restartRoles())
      .finally(() => {
        this.#restarts -= 1;
      });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  /**
   * Makes workers stop waiting for receivers; the stop continues in order. False when there is no wait to
   * end.
   */
  endWait(): boolean {
    if (!this.isStopping || this.#isHurried || this.#waiting.receivers === 0) return false;
    this.#isHurried = true;
    for (const role of this.#roles) role.hurry();
    return true;
  }

  /** Stops immediately; the next start recovers unfinished work. */
  kill(): void {
    this.#abort.abort();
    for (const role of this.#roles) role.kill();
    this.#database?.kill();
  }

  /** The roles' environment. The listen addresses stay fixed while this process runs. */
  #environment(databaseUrl: string, { inbound, submission }: OpenPorts): NodeJS.ProcessEnv {
    const { config } = this.#options;
    return {
      DATABASE_URL: databaseUrl,
      DATABASE_URL_FILE: '', // already read, and must not be set twice
      POSTRIDER_HOST: config.host,
      POSTRIDER_PORT: String(config.port),
      POSTRIDER_INBOUND_HOST: config.inbound.host,
      POSTRIDER_INBOUND_PORT: String(inbound),
      POSTRIDER_SUBMISSION_HOST: config.submission.host,
      ...(!submission && { POSTRIDER_SUBMISSION: 'false' }),
      ...(submission && { POSTRIDER_SUBMISSION_PORT: String(submission.port) }),
      ...(submission?.tlsPort && { POSTRIDER_SUBMISSION_TLS_PORT: String(submission.tlsPort) }),
    };
  }

  async #restartRoles(): Promise<void> {
    if (this.isStopping) return;
    const { commandLine, env, say } = this.#options;
    const options = {
      roles: this.#roles,
      commandLine,
      env: { ...env, ...this.#given },
      say,
      signal: this.#abort.signal,
    };
    if (!(await restartRolling(options))) return;
    const version = packageVersion();
    say(`Restarted. This is Postrider ${version}.`);
    if (version !== this.#version)
      say(`The supervisor itself is still ${this.#version}, until Postrider is stopped and started.`);
  }

  async #startDatabase(): Promise<string> {
    const { config, log, say } = this.#options;
    say('Starting PostgreSQL…');
    const { dataDir, databasePort: port } = config;
    this.#database = new DatabaseServer({ dataDir, port, log: say }, log);
    return this.#database.start();
  }

  async #migrate(databaseUrl: string): Promise<void> {
    const { config, say } = this.#options;
    const cells = await migrateCells(config, databaseUrl).catch((error: unknown) => {
      throw explainStart(error, config);
    });
    for (const line of migratedLines(cells)) say(line);
    const away = cells.filter((one) => one.away !== null);
    void migrateLater({ config, databaseUrl, away, say, signal: this.#abort.signal });
  }

  async #startRoles(ports: OpenPorts): Promise<void> {
    const { config, env, log } = this.#options;
    // The supervisor reports the start in words; the roles log only warnings, unless a log level is set, also in `.env`.
    const level = config.given.POSTRIDER_LOG_LEVEL === undefined ? { POSTRIDER_LOG_LEVEL: 'warn' } : {};
    const roleEnv = { ...roleEnvironment(env, availableParallelism()), ...level };
    for (const one of rolePlan(this.#options)) {
      if (one.role === 'submission' && ports.submission === undefined) continue;
      const sockets = await ports.socketsOf(one.role);
      if (this.isStopping) throw new Error('Stopped while starting.');
      const role = new RoleProcess({
        ...one,
        env: { ...roleEnv, ...one.env },
        sockets,
        receiversMs: config.stopTimeoutMs,
        onWaiting: () => this.#waiting.note(this.#roles.reduce((sum, { waitingFor }) => sum + waitingFor, 0)),
        onEnded: (event) => log.warn(event, `the ${one.name} ended unexpectedly; restarting`),
      });
      this.#roles.push(role);
      role.start();
    }
  }

  /** Resolves when the API is ready. The wait for the submission server is short. */
  async #untilReady(): Promise<void> {
    const find = (wanted: string) => this.#roles.find(({ name }) => name === wanted)?.ready;
    const { signal } = this.#abort;
    const within = (ms: number) =>
      delay(ms, null, { ref: false, signal })
        .catch(() => null)
        .then(() => 'late');
    const listens = Promise.race([find('smtp') ?? find('submission'), within(LISTENS_WITHIN_MS)]);
    const answer = await Promise.race([find('api'), within(READY_WITHIN_MS)]);
    await listens;
    if (answer === 'late') throw new Error(`The API was not ready within ${READY_WITHIN_MS / 1000} seconds.`);
  }

  #introduction(first: PreparedInstallation, submission: SubmissionPorts | undefined): string {
    const { config } = this.#options;
    return introduction({
      config,
      localUrl: localUrl(config.host, config.port),
      submission,
      sender: `hello@${SANDBOX_DOMAIN}`,
      setUpLink: first.hasUsers ? null : setUpLink(config.publicUrl, setUpToken(loadKeyRing(config).first)),
      newKey: first.apiKey,
      givenKeyName:
        first.givenKey === 'added' || first.givenKey === 'known' ? config.bootstrapApiKeyName : null,
      isFirstStart: first.created,
    });
  }

  async #stopAll(): Promise<void> {
    this.#options.say('Stopping…');
    this.#waiting.explain();
    const began = performance.now();
    this.#abort.abort();
    this.#sockets.close();
    await Promise.all([this.#metrics?.stop(), ...this.#roles.map((role) => role.stop(ROLES_STOP_WITHIN_MS))]);
    // The database stops last, because workers record what receivers have answered.
    const leftMs = STOP_WITHIN_MS - (performance.now() - Math.max(began, this.#waiting.endedMs));
    const limit = setTimeout(() => this.kill(), Math.max(leftMs, MIN_DATABASE_STOP_MS));
    await this.#database?.stop(Math.max(leftMs - 1_000, 1_000));
    clearTimeout(limit);
    this.#options.say('Stopped.');
  }
}
