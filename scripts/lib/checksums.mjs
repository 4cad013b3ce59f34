/** `SHA256SUMS` of a folder, in the form that `sha256sum --check` reads. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Of these files alone, which are in `folder`; returns where it is. */
export function writeChecksums(folder, files) {
  const lines = files.map((file) => `${sha256Of(file)}  ${path.relative(folder, file)}\n`);
  const list = path.join(folder, 'SHA256SUMS');
  fs.writeFileSync(list, lines.join(''));
  return list;
}

function sha256Of(file) {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}
