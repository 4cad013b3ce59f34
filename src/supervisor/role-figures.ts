/** Gathers the metrics of all roles under one supervisor into one page. */
import type { Config } from '../runtime/config.ts';
import { joinExpositions } from '../runtime/join-expositions.ts';
import type { Service } from '../runtime/lifecycle.ts';
import type { Log } from '../runtime/log.ts';
import type { RoleProcess } from './role-process.ts';

type Asked = Pick<RoleProcess, 'name' | 'role' | 'restarts' | 'metrics'>;

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Undefined when no metrics port is set. */
export async function serveGathered(
  { config, log, say }: { readonly config: Config; readonly log: Log; readonly say: (line: string) => void },
  roles: readonly Asked[],
): Promise<Service | undefined> {
  if (config.metrics.port === undefined) return undefined;
  const { MetricsListener } = await import('../processes/metrics-listener.ts');
  const metrics = { contentType: CONTENT_TYPE, text: () => gather(roles) };
  const listener = new MetricsListener({ metrics, log, config, say });
  await listener.start();
  return listener;
}

/** A role that does not answer is left out, and reported as down. */
async function gather(roles: readonly Asked[]): Promise<string> {
  const answers = await Promise.all(roles.map(async (role) => ({ role, text: await role.metrics() })));
  const own = [
    ...family('postrider_process_up', 'gauge', 'Whether a process of this installation answers.'),
    ...answers.map(({ role, text }) => sample('postrider_process_up', role, text === null ? 0 : 1)),
    ...family('postrider_process_restarts_total', 'counter', 'How often a process ended and was restarted.'),
    ...roles.map((role) => sample('postrider_process_restarts_total', role, role.restarts)),
  ].join('\n');
  const pages = answers.flatMap(({ role, text }) =>
    text === null ? [] : [{ text, labels: `process="${role.name}"` }],
  );
  return joinExpositions([{ text: own, labels: '' }, ...pages]);
}

function family(name: string, type: 'gauge' | 'counter', help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function sample(name: string, { name: process, role }: Asked, value: number): string {
  return `${name}{role="${role}",process="${process}"} ${value}`;
}
