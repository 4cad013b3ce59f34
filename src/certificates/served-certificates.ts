/**
 * The certificates that this process serves, by name. They are reloaded at an interval and after this process
 * stored one. Open connections keep their certificate.
 */
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Sql } from '../database/sql.ts';
import type { Clock } from '../runtime/clock.ts';
import { SECOND_MS } from '../runtime/durations.ts';
import type { KeyRing } from '../runtime/key-ring.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import { RefreshingCache } from '../runtime/work-loop/refreshing-cache.ts';
import { certificateKeyBox } from './key-encryption.ts';
import { selfSigned } from './self-signed.ts';
import { findServed, type ServedCertificate, servedVersions } from './store.ts';

interface ServedCertificatesOptions {
  readonly db: Sql;
  readonly ring: KeyRing;
  readonly clock: Clock;
  readonly log: Log;
  readonly directoryUrl: string;
  /** Served to clients without SNI or with an unknown name. */
  readonly defaultName: string;
  readonly refreshMs?: number | undefined;
}

interface LoadedCertificate {
  readonly version: string;
  readonly context: SecureContext;
}

const REFRESH_MS = 15 * SECOND_MS;

export class ServedCertificates implements Service {
  readonly name = 'served certificates';
  readonly #options: ServedCertificatesOptions;
  readonly #fresh: RefreshingCache;
  readonly #byName = new Map<string, LoadedCertificate>();
  /** Served until a certificate was issued. */
  readonly #fallback: SecureContext;

  constructor(options: ServedCertificatesOptions) {
    this.#options = options;
    const { defaultName, clock, log, refreshMs = REFRESH_MS } = options;
    this.#fallback = createSecureContext({ ...selfSigned(defaultName, clock.nowMs()) });
    this.#fresh = new RefreshingCache({
      everyMs: refreshMs,
      read: () => this.#read(),
      onError: (error) =>
        log.warn({ err: error }, 'certificates cannot be read; the last known certificates are served'),
    });
  }

  start(): Promise<void> {
    return this.#fresh.start();
  }

  stop(): Promise<void> {
    return this.#fresh.stop();
  }

  refresh(): void {
    this.#fresh.refresh();
  }

  get default(): SecureContext {
    return this.find(this.#options.defaultName) ?? this.#fallback;
  }

  find(name: string): SecureContext | undefined {
    return this.#byName.get(name.toLowerCase())?.context;
  }

  async #read(): Promise<void> {
    const { db, directoryUrl } = this.#options;
    const versions = await servedVersions(db, directoryUrl);
    const wanted = new Map(
      versions.map(({ id, name, version }) => [name, { id, version: `${id} ${version}` }]),
    );
    for (const name of this.#byName.keys()) if (!wanted.has(name)) this.#byName.delete(name);
    const changed = [...wanted].filter(([name, { version }]) => this.#byName.get(name)?.version !== version);
    if (changed.length === 0) return;
    const versionOf = new Map(changed.map(([, { id, version }]) => [id, version]));
    const found = await findServed(db, [...versionOf.keys()]);
    for (const one of found) this.#load(one, versionOf.get(one.id) ?? '');
  }

  /** If the key cannot be decrypted, the previous certificate stays in use. */
  #load({ id, name, chain, sealed_key }: ServedCertificate, version: string): void {
    const { ring, log } = this.#options;
    try {
      const key = certificateKeyBox(ring).open(id, sealed_key).toString();
      this.#byName.set(name, { version, context: createSecureContext({ cert: chain, key }) });
    } catch (error) {
      log.error({ err: error, name }, 'a certificate cannot be served');
    }
  }
}
