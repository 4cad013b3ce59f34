// A reporter of Vitest's: keeps on disk which test files have begun and not ended. A run that is stopped because it hangs
// says where, and a file whose worker died counts as failed.
import fs from 'node:fs';

/** What `unfinished()` reads; the run that writes it is another process. */
export const UNFINISHED_FILE_VARIABLE = 'POSTRIDER_TEST_UNFINISHED';

export default class UnfinishedFiles {
  #begun = new Map();

  onTestModuleQueued(module) {
    this.#begun.set(module.moduleId, { path: module.moduleId, file: module.relativeModuleId, test: null });
    this.#write();
  }

  onTestCaseReady(test) {
    const one = this.#begun.get(test.module.moduleId);
    if (one === undefined) return;
    one.test = test.fullName;
    this.#write();
  }

  onTestModuleEnd(module) {
    this.#begun.delete(module.moduleId);
    this.#write();
  }

  #write() {
    const file = process.env[UNFINISHED_FILE_VARIABLE];
    if (file !== undefined) fs.writeFileSync(file, JSON.stringify([...this.#begun.values()]));
  }
}

/** Lines for the developer who investigates. */
export function unfinished(file) {
  const begun = readBegun(file);
  if (begun === null) return [];
  if (begun.length === 0) return ['Every test file had ended: something after them hung.'];
  return begun.map(({ file: name, test }) => `Not ended: ${name}, last begun: ${test ?? 'no test yet'}`);
}

/** The results, with a failed one for each file that began and never ended: Vitest says of those that they passed. */
export function withUnfinished(results, file) {
  const lost = new Set((readBegun(file) ?? []).map(({ path }) => path));
  const ended = results.filter(({ name }) => !lost.has(name));
  return [...ended, ...[...lost].map((name) => ({ name, status: 'failed', assertionResults: [] }))];
}

function readBegun(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
