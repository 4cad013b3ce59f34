/**
 * Bugs that a storm has to find, planted into a copy of the built programs: the product has no switch for them. Each bug
 * takes one protection away by replacing a text of a built program. If the text is not there any more, planting fails.
 */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildCopy } from '../support/build-copy.ts';
import type { Scenario } from './scenario.ts';
import { takenOver, unsettled } from './scenarios/aimed.ts';

export interface Mutation {
  readonly name: string;
  /** The built program that must contain the text. */
  readonly program: 'api' | 'worker';
  readonly replaced: RegExp;
  readonly by: string;
  readonly scenario: Scenario;
  /** The finding of the storm that must report the bug. */
  readonly foundAs: string;
}

const REPEATED = 'delivered again without an excuse';

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'the journal is not written',
    program: 'worker',
    replaced: /if \(this\.#failed\) this\.#unwritten \+= line;\s+else this\.#write\(line\);/g,
    by: '',
    scenario: unsettled,
    foundAs: REPEATED,
  },
  {
    name: 'idempotency keys are ignored',
    program: 'api',
    replaced: /const keyed = isDryRun\(request\) \? null : keyedRequest\(request\);/g,
    by: 'const keyed = null;',
    scenario: unsettled,
    foundAs: 'more than one email for one request',
  },
  {
    name: 'a delivery is settled before the reply to its message',
    program: 'worker',
    replaced:
      /const answer = await link\.cutOff\.awaitReply\(expect\(link, "dot", 2, link\.deadlines\.dotMs, true\)\);/g,
    by: 'return over({ kind: "accepted", reply: { code: 250, enhanced: null, text: "" } }, {});',
    scenario: unsettled,
    foundAs: 'accepted, but neither delivered nor reported',
  },
  {
    // Asked before the final dot. Without it, a worker that was frozen sends what another worker has claimed.
    name: 'a worker ignores that its lease is over',
    program: 'worker',
    replaced: /holds\(epoch\) \{\s+if \(this\.#lost \|\| this\.#epoch !== epoch\) return false;/g,
    by: 'holds(epoch) {\n\t\treturn true;',
    scenario: takenOver,
    foundAs: REPEATED,
  },
  {
    // The lease keeps a late worker from sending, so only what it writes can do harm. It gives back everything that it has not
    // sent (`release` in settle.ts). Without the fence that frees deliveries which another worker is making, and they are
    // claimed and made once more. A late acceptance does no harm: it is a fact, whoever reports it.
    name: 'what a worker settles is not fenced by its epoch and attempt',
    program: 'worker',
    replaced: /outbox\.worker = \$1 AND outbox\.attempt = \w+\.attempt/g,
    by: '$$1::bigint IS NOT NULL',
    scenario: takenOver,
    foundAs: REPEATED,
  },
];

/** The built programs with that bug, or without any. The caller removes the copy. */
export function mutatedBuild(mutation: Mutation | null): BuildCopy {
  const build = new BuildCopy();
  // The embedded PostgreSQL is a package.
  symlinkSync(
    fileURLToPath(new URL('../../node_modules', import.meta.url)),
    join(build.folder, 'node_modules'),
  );
  try {
    if (mutation !== null) plant(build, mutation);
  } catch (error) {
    build.remove();
    throw error;
  }
  return build;
}

function plant(build: BuildCopy, { name, program, replaced, by }: Mutation): void {
  const file = build.program(program);
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(replaced, by);
  if (changed === text)
    throw new Error(
      `“${name}” cannot be planted: dist/processes/${program}.js does not contain ${replaced}. Adapt mutations.ts.`,
    );
  writeFileSync(file, changed);
}
