/**
 * The sockets that others connect to. The supervisor binds them and keeps them; roles get them when they start, and
 * listen. While one takes over from another both have the socket, and nobody is refused; while none has it, after a
 * crash, whoever connects waits for the next.
 *
 * A service manager may have bound them before (systemd's socket units): then even the supervisor can be restarted that
 * way.
 */
import { lookup } from 'node:dns/promises';
import net, { isIP } from 'node:net';
import { getSystemErrorName } from 'node:util';
import type { ListenPlace } from '../../kit/runtime/inherited-sockets.ts';

export interface BoundSocket {
  readonly place: ListenPlace;
  readonly fd: number;
}

interface Handle {
  /** There are no such numbers on Windows. */
  readonly fd?: number;
  close(): void;
  /** 0, or an error; also of the binding. */
  getsockname(into: { port?: number }): number;
}

type Bind = (
  address: string | null,
  port: number | null,
  family: 4 | 6 | -1,
  fd: number,
  flags: number,
) => Handle | number;

/** What Node's own `cluster` uses. A server would also listen, and take connections away from the roles. */
const { _createServerHandle: bind } = net as unknown as { readonly _createServerHandle: Bind };

/** The first file that systemd hands over. */
const FIRST_GIVEN = 3;

export class BoundSockets {
  readonly #held: Handle[] = [];
  /** By port. */
  readonly #given = new Map<number, Handle>();

  constructor(env: NodeJS.ProcessEnv, pid: number = process.pid) {
    if (env.LISTEN_PID !== String(pid)) return;
    for (let i = 0; i < Number(env.LISTEN_FDS); i += 1) {
      const handle = bind(null, null, -1, FIRST_GIVEN + i, 0);
      const { port } = typeof handle === 'number' ? {} : addressOf(handle);
      if (typeof handle !== 'number' && port !== undefined) this.#given.set(port, handle);
    }
  }

  isGiven(port: number): boolean {
    return this.#given.has(port);
  }

  /** Ports that were bound for us and that nobody asked for: whoever connects there would wait for ever. */
  get unused(): number[] {
    return [...this.#given].filter(([, handle]) => !this.#held.includes(handle)).map(([port]) => port);
  }

  /** Undefined where sockets cannot be handed over: the role then listens by itself. Throws if it cannot be had. */
  async bind(place: ListenPlace): Promise<BoundSocket | undefined> {
    const handle = this.#given.get(place.port) ?? (await bound(place));
    if (handle.fd === undefined || handle.fd < 0) {
      handle.close();
      return undefined;
    }
    this.#held.push(handle);
    return { place, fd: handle.fd };
  }

  /** From now on they are the roles' alone. */
  close(): void {
    for (const handle of this.#held.splice(0)) handle.close();
  }
}

async function bound({ host, port }: ListenPlace): Promise<Handle> {
  const { address, family } = isIP(host) === 0 ? await lookup(host) : { address: host, family: isIP(host) };
  const handle = bind(address, port, family === 6 ? 6 : 4, -1, 0);
  if (typeof handle === 'number') throw failure(handle);
  addressOf(handle);
  return handle;
}

function addressOf(handle: Handle): { port?: number } {
  const into = {};
  const error = handle.getsockname(into);
  if (error === 0) return into;
  handle.close();
  throw failure(error);
}

function failure(errno: number): NodeJS.ErrnoException {
  const code = getSystemErrorName(errno);
  return Object.assign(new Error(code), { code });
}
