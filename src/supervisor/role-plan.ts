/** Plans the processes: one of each role, but as many workers as configured, for every cell. */
import { MAIN_CELL } from '../database/database.ts';
import { workerName } from '../processes/worker-name.ts';
import type { Config } from '../runtime/config.ts';
import { nodeFlags } from './node-settings.ts';
import type { RoleOptions } from './role-process.ts';

type Planned = Pick<RoleOptions, 'name' | 'role' | 'script' | 'flags'> & {
  /** Variables of this process, in addition to those of all roles. */
  readonly env: NodeJS.ProcessEnv;
};

interface Asked {
  readonly roles: Readonly<Record<string, string>>;
  readonly config: Pick<Config, 'workers' | 'cells' | 'cell'> & { readonly given: Config['given'] };
  readonly env: NodeJS.ProcessEnv;
}

export function rolePlan(asked: Asked): readonly Planned[] {
  return Object.entries(asked.roles).flatMap(([role, script]) => {
    const about = { role, script, flags: nodeFlags(role, asked.env) };
    return role === 'worker' ? workersOf(asked, about) : [{ ...about, name: role, env: {} }];
  });
}

function workersOf({ config }: Asked, about: Omit<Planned, 'name' | 'env'>): Planned[] {
  return servedCells(config).flatMap((cell) => {
    const first = workerName({ cell: cell === MAIN_CELL ? undefined : cell });
    return Array.from({ length: config.workers }, (_, i) => ({
      ...about,
      name: i === 0 ? first : first.replace('worker', `worker ${i + 1}`),
      env: config.cells.length === 0 ? {} : { POSTRIDER_CELL: cell },
    }));
  });
}

/** All cells, unless this machine is configured for one. */
function servedCells({ cells, given }: Asked['config']): readonly string[] {
  const only = given.POSTRIDER_CELL;
  return only === undefined ? [MAIN_CELL, ...cells.map(({ name }) => name)] : [only];
}
