// A reporter of Vitest's: keeps on disk which test files have begun and not ended, so that a run that is stopped
// because it hangs says where.
import fs from 'node:fs';

/** What `unfinished()` reads; the run that writes it is another process. */
export const UNFINISHED_FILE_VARIABLE = 'POSTRIDER_TEST_UNFINISHED';

export default class UnfinishedFiles {
  #begun = new Map();

  onTestModuleQueued(module) {
    this.#begun.set(module.moduleId, { file: module.relativeModuleId, test: null });
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
  let begun;
  try {
    begun = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return [];
  }
  if (begun.length === 0) return ['Every test file had ended: something after them hung.'];
  return begun.map(({ file: name, test }) => `Not ended: ${name}, last begun: ${test ?? 'no test yet'}`);
}
