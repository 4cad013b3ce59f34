/**
 * Everything that runs on one machine: PostgreSQL (unless DATABASE_URL names one), then the roles.
 *
 * States: starting → ready → stopping → stopped. `start` resolves when /readyz does; `stop` may come at any
 * moment, also in the middle of starting, takes the reverse order and is bounded in time.
 */
import { availableParallelism } from 'node:os';
import { setUpLink, setUpToken } from '../../accounts/users/set-up.ts';
import { hasUsers } from '../../accounts/users/store.ts';
import { Database } from '../../kit/database/database.ts';
import { migrate } from '../../kit/database/migrate.ts';
import { systemClock } from '../../kit/runtime/clock.ts';
import type { Config } from '../../kit/runtime/config.ts';
import { MINUTE_MS } from '../../kit/runtime/durations.ts';
import { loadKeyRing } from '../../kit/runtime/key-store.ts';
import type { Service } from '../../kit/runtime/lifecycle.ts';
import type { Log } from '../../kit/runtime/log.ts';
import { type Bootstrapped, bootstrap, SANDBOX_DOMAIN } from '../../organizations/bootstrap.ts';
import { databaseProblems, goLive } from '../going-live.ts';
import { ownDkimLines } from '../own-dkim.ts';
import { refuseOwnerless } from '../owner.ts';
import { refuseOtherKey } from '../refuse-other-key.ts';
import { introduction, readyLine } from './announcement.ts';
import { DatabaseServer } from './database-server.ts';
import {
  ensureFree,
  inboundPort,
  localUrl,
  type SubmissionPorts,
  submissionPorts,
  untilListening,
  untilReady,
} from './http-address.ts';
import { changeMode } from './mode-change.ts';
import { nodeFlags, withThreadPool } from './node-settings.ts';
import { serveGathered } from './role-figures.ts';
import { type RoleOptions, RoleProcess } from './role-process.ts';

/** What the database held, or was given, before anything runs. */
type FirstThings = Bootstrapped & { readonly hasUsers: boolean };

export interface InstallationOptions {
  readonly config: Config;
  readonly log: Log;
  readonly say: (line: string) => void;
  /** The script of each role to run, in the order of starting. */
  readonly roles: Readonly<Record<string, string>>;
  /** The environment the roles get, apart from what the installation decides. */
  readonly env: NodeJS.ProcessEnv;
}

const READY_WITHIN_MS = MINUTE_MS;
const LISTENS_WITHIN_MS = 10_000;
/** A stop takes ten seconds at most: roles get seven to finish their work, PostgreSQL the rest. */
const ROLES_STOP_WITHIN_MS = 7_000;
const STOP_WITHIN_MS = 9_500;

export class Installation {
  readonly #options: InstallationOptions;
  readonly #roles: RoleProcess[] = [];
  readonly #abort = new AbortController();
  #database: DatabaseServer | undefined;
  #metrics: Service | undefined;
  #stopping: Promise<void> | undefined;

  constructor(options: InstallationOptions) {
    this.#options = options;
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  async start(): Promise<void> {
    const { config, say } = this.#options;
    for (const warning of config.warnings) say(`Warning: ${warning}`);
    await goLive(config, say);
    await ensureFree(config.host, config.port);
    const submission = await this.#submissionPorts();
    const bouncesTo = this.#inboundPort();
    bouncesTo.catch(() => {}); // told when it is needed
    // They load while the database starts, and wait: nothing may act before the schema is right.
    this.#startRoles(submission === undefined ? ['submission'] : []);
    const databaseUrl = config.databaseUrl ?? (await this.#startDatabase());
    await this.#migrate(databaseUrl);
    const inboundAt = await bouncesTo;
    const first = await this.#bootstrap(databaseUrl);
    // Before the roles: should one fail to start, nobody could read a new key again.
    say(this.#introduction(first, submission));
    for (const role of this.#roles) {
      role.goAhead({
        DATABASE_URL: databaseUrl,
        DATABASE_URL_FILE: '', // read already, and not to be given twice
        POSTRIDER_INBOUND_PORT: String(inboundAt),
        ...(submission && { POSTRIDER_SUBMISSION_PORT: String(submission.port) }),
      });
    }
    this.#metrics = await serveGathered(this.#options, this.#roles);
    await this.#untilReady(submission);
    say(readyLine(config.mode));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  /** Without waiting for anything; what was not finished is recovered at the next start. */
  kill(): void {
    this.#abort.abort();
    for (const role of this.#roles) role.kill();
    this.#database?.kill();
  }

  /** Looked for while the database starts: a port that was just given up takes a moment to be free. */
  async #inboundPort(): Promise<number> {
    const { config, roles, say } = this.#options;
    const wanted = config.inbound.port;
    if (roles.inbound === undefined) return wanted;
    const port = await inboundPort(config);
    if (port !== wanted) say(`Port ${wanted} is taken; bounces come back to port ${port} instead.`);
    return port;
  }

  /** Undefined where mail is not submitted over SMTP. */
  async #submissionPorts(): Promise<SubmissionPorts | undefined> {
    const { config, roles, say } = this.#options;
    if (roles.submission === undefined || !config.submission.isOn) return undefined;
    const found = await submissionPorts(config);
    if ('port' in found) return found;
    say(`Mail cannot be submitted over SMTP. ${found.problem}`);
    return undefined;
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
    try {
      const applied = await migrate(databaseUrl);
      if (applied.length > 0) say(`Database schema brought up to date (${applied.length} migrations).`);
    } catch (error) {
      if (config.databaseUrl === undefined || !isConnectionProblem(error)) throw error;
      throw new Error(`The database that DATABASE_URL names cannot be used: ${error.message}`, {
        cause: error,
      });
    }
  }

  async #bootstrap(databaseUrl: string): Promise<FirstThings> {
    const { config, log, say } = this.#options;
    const db = new Database({ url: databaseUrl, log, applicationName: 'postrider-start', maxConnections: 1 });
    try {
      // Before anything is changed; and a key that bootstrap makes is shown once, so nothing may be refused after that.
      await refuseOtherKey(db, config);
      await refuseOwnerless({ db, config });
      for (const line of await changeMode(db, config.mode, systemClock)) say(line);
      for (const line of await databaseProblems({ db, config })) say(line);
      for (const line of await ownDkimLines({ db, config, clock: systemClock })) say(line);
      const first = await bootstrap(db, config, systemClock);
      if (first.givenKey === 'added' && !first.created) {
        say('POSTRIDER_API_KEY holds a new key; it was added to the first organization.');
      }
      if (first.givenKey === 'revoked' || first.givenKey === 'expired') {
        say(`POSTRIDER_API_KEY holds a key that is ${first.givenKey}; it does not work.`);
      }
      return { ...first, hasUsers: await hasUsers(db) };
    } finally {
      await db.close();
    }
  }

  #startRoles(left: readonly string[]): void {
    if (this.isStopping) throw new Error('Stopped while starting.');
    const { config, env, log } = this.#options;
    // The start is told in words; the roles' own lines are for operators and begin with what needs attention.
    const logLevel = env.POSTRIDER_LOG_LEVEL || (config.logLevel === 'info' ? 'warn' : config.logLevel);
    const roleEnv = withThreadPool(env, availableParallelism());
    for (const one of this.#processes()) {
      if (left.includes(one.name)) continue;
      const role = new RoleProcess({
        ...one,
        env: { ...roleEnv, POSTRIDER_LOG_LEVEL: logLevel },
        onEnded: (event) => log.warn(event, `the ${one.name} ended unexpectedly; starting it again`),
      });
      this.#roles.push(role);
      role.start();
    }
  }

  /** One of each role, but as many workers as were asked for. */
  #processes(): Pick<RoleOptions, 'name' | 'role' | 'script' | 'flags'>[] {
    const { roles, config, env } = this.#options;
    return Object.entries(roles).flatMap(([role, script]) =>
      Array.from({ length: role === 'worker' ? config.workers : 1 }, (_, i) => ({
        name: i === 0 ? role : `${role} ${i + 1}`,
        role,
        script,
        flags: nodeFlags(role, env),
      })),
    );
  }

  async #untilReady(submission: SubmissionPorts | undefined): Promise<void> {
    const { host, port, submission: smtp } = this.#options.config;
    const url = localUrl(host, port);
    // Mail that comes in over HTTP does not wait for what comes in over SMTP.
    const listens =
      submission && untilListening(smtp.host, submission.port, LISTENS_WITHIN_MS, this.#abort.signal);
    const isReady = await untilReady(url, READY_WITHIN_MS, this.#abort.signal);
    await listens;
    if (isReady) return;
    throw new Error(`${url}/readyz did not answer with 200 within ${READY_WITHIN_MS / 1000} seconds.`);
  }

  #introduction(first: FirstThings, submission: SubmissionPorts | undefined): string {
    const { config } = this.#options;
    return introduction({
      config,
      localUrl: localUrl(config.host, config.port),
      submission,
      sender: `hello@${SANDBOX_DOMAIN}`,
      setUpLink: first.hasUsers ? null : setUpLink(config.publicUrl, setUpToken(loadKeyRing(config).first)),
      newKey: first.apiKey,
      hasGivenKey: first.givenKey === 'added' || first.givenKey === 'known',
      isFirstStart: first.created,
    });
  }

  async #stopAll(): Promise<void> {
    this.#options.say('Stopping…');
    const began = performance.now();
    const limit = setTimeout(() => this.kill(), STOP_WITHIN_MS);
    this.#abort.abort();
    await Promise.all([this.#metrics?.stop(), ...this.#roles.map((role) => role.stop(ROLES_STOP_WITHIN_MS))]);
    const leftMs = STOP_WITHIN_MS - (performance.now() - began);
    await this.#database?.stop(Math.max(leftMs - 1_000, 1_000));
    clearTimeout(limit);
    this.#options.say('Stopped.');
  }
}

/** Node gives a refused connection a code such as ECONNREFUSED, PostgreSQL one of five characters: 28P01, 3D000. */
function isConnectionProblem(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return /^E[A-Z_]+$|^(08|28|3D|57P)/.test(code);
}
