/** Finds the field that shows what somebody clicked in the preview. The preview is rendered, so expressions stand for any text. */

import type { PickedPlace } from '../../../ui/message-frame.tsx';
import { splitAtTags } from './atoms.ts';
import type { Field } from './fields.ts';

type Shown = Pick<Field, 'key' | 'label' | 'kind' | 'shown'>;

/** Null where no field can have made the place. */
export function fieldAt({ text, isImage, share }: PickedPlace, fields: readonly Shown[]): Shown | null {
  const wanted = spaced(text);
  const isCandidate = ({ kind, label }: Shown) => (isImage ? label === 'Image address' : kind.is === 'text');
  let best: { field: Shown; letters: number; distance: number } | null = null;
  for (const [at, field] of fields.entries()) {
    if (!isCandidate(field)) continue;
    const lines = field.shown.split('\n');
    const letters = lines.reduce((most, line) => Math.max(most, lettersInCommon(wanted, line)), -1);
    const distance = Math.abs(at / Math.max(1, fields.length - 1) - share);
    if (
      letters < 0 ||
      (best && (letters < best.letters || (letters === best.letters && distance >= best.distance)))
    )
      continue;
    best = { field, letters, distance };
  }
  return best?.field ?? null;
}

/** How many characters outside of expressions are the same; -1 where the texts differ. */
function lettersInCommon(text: string, line: string): number {
  const parts = splitAtTags(spaced(line)).map(({ start, end, isTag }) => ({
    isTag,
    letters: spaced(line).slice(start, end),
  }));
  let at = 0;
  let letters = 0;
  for (const [place, part] of parts.entries()) {
    if (part.isTag) continue;
    const found = place === 0 ? (text.startsWith(part.letters) ? 0 : -1) : text.indexOf(part.letters, at);
    if (found < 0) return -1;
    at = found + part.letters.length;
    letters += part.letters.length;
  }
  const isWhole = parts.at(-1)?.isTag === true || at === text.length;
  return isWhole ? letters : -1;
}

function spaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
