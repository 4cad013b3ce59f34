/**
 * Bugs that a storm has to find, planted into a copy of the built programs: no switch for them is in the product. Each is a
 * text of the bundle and what stands in its place; a text that is not there any more is an error.
 */
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildCopy } from '../support/build-copy.ts';

export interface Mutation {
  readonly name: string;
  readonly texts: readonly { readonly replaced: RegExp; readonly by: string }[];
  /** Of the findings of a storm, the one that must tell of it. */
  readonly foundAs: string;
}

const REPEATED = 'delivered again without an excuse';

/** A worker does not notice that another has removed its registration. */
const UNNOTICED = {
  replaced: /(async function heartbeat\(db, epoch\) \{\s+return await db\.exec\([^)]*\)) === 1;/g,
  by: '$1 >= 0;',
};

export const MUTATIONS: readonly Mutation[] = [
  {
    name: 'the journal is not written',
    texts: [
      {
        replaced: /if \(this\.#failed\) this\.#unwritten \+= line;\s+else this\.#write\(line\);/g,
        by: '',
      },
    ],
    foundAs: REPEATED,
  },
  {
    name: 'a worker whose registration was removed is not fenced off',
    texts: [
      { replaced: /outbox\.worker = \$1 AND outbox\.attempt = \w+\.attempt/g, by: '$$1::bigint IS NOT NULL' },
      UNNOTICED,
    ],
    foundAs: REPEATED,
  },
  {
    name: 'idempotency keys are ignored',
    texts: [
      {
        replaced: /const keyed = isDryRun\(request\) \? null : keyedRequest\(request\);/g,
        by: 'const keyed = null;',
      },
    ],
    foundAs: 'more than one email for one request',
  },
  {
    name: 'a delivery is settled before the reply to its message',
    texts: [
      {
        replaced: /const answer = await expect\(link, "dot", 2, link\.deadlines\.dotMs, true\);/g,
        by: 'return over({ kind: "accepted", reply: { code: 250, enhanced: null, text: "" } }, {});',
      },
    ],
    foundAs: 'accepted, but neither delivered nor reported',
  },
];

/** The built programs with that bug, or as they are. Its owner removes it. */
export function mutatedBuild(mutation: Mutation | null): BuildCopy {
  const build = new BuildCopy();
  // PostgreSQL's programs are looked for there.
  symlinkSync(
    fileURLToPath(new URL('../../node_modules', import.meta.url)),
    join(build.folder, 'node_modules'),
  );
  try {
    if (mutation !== null) plant(join(build.folder, 'dist', 'processes'), mutation);
  } catch (error) {
    build.remove();
    throw error;
  }
  return build;
}

function plant(folder: string, { name, texts }: Mutation): void {
  const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
  for (const { replaced, by } of texts) {
    const changed = files.filter((file) => replace(join(folder, file), replaced, by));
    if (changed.length === 0)
      throw new Error(
        `“${name}” cannot be planted: no built program contains ${replaced}. Adapt mutations.ts.`,
      );
  }
}

function replace(file: string, replaced: RegExp, by: string): boolean {
  const text = readFileSync(file, 'utf8');
  const changed = text.replace(replaced, by);
  if (changed !== text) writeFileSync(file, changed);
  return changed !== text;
}
