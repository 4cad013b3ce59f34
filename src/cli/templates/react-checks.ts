/**
 * Finds code that decides by a value what is shown, or that changes a value. Such code runs once, when the template is pushed,
 * and its result would be in all mail. The component is rendered with other values, which may only replace their placeholders. Pure.
 */
import { changes, decides, type Given, type GivenText, NotPushable } from './react-placeholders.ts';
import { isFilledIn, shapeOf } from './react-template.ts';

type Show = (text: GivenText) => string;
type Rendered = (show: Show) => Promise<string>;

/** `html` is rendered with placeholders. */
export async function checkCode(html: string, { reads }: Given, rendered: Rendered): Promise<void> {
  const labels = new Set(reads.values());
  await checkEach(labels, decides, blank, async (show) => {
    const shape = await rendered(show).then(shapeOf, () => null);
    return shape === null || shape === shapeOf(html);
  });
  for (const value of [otherLetters([...reads.keys()]), sampleValue])
    await checkEach(labels, changes, value, async (show) => {
      const values = new Map<string, string>();
      const noted: Show = (text) => {
        const shown = show(text);
        values.set(text.placeholder, shown);
        return shown;
      };
      const other = await rendered(noted).catch(() => null);
      return other === null || isFilledIn(html, other, values);
    });
}

/** An error with one of these values only means that the code needs another: `isFine` is true then. */
async function checkEach(
  labels: ReadonlySet<string>,
  complaint: (label: string) => string,
  show: Show,
  isFine: (show: Show) => Promise<boolean>,
): Promise<void> {
  if (await isFine(show)) return;
  for (const label of labels) {
    const only: Show = (text) => (text.label === label ? show(text) : text.placeholder);
    if (!(await isFine(only))) throw new NotPushable(complaint(label));
  }
}

const blank: Show = () => '';

const PRIVATE_USE = 0xe000;

/** As long as the placeholder, because the padding of a preview text depends on its length. */
function otherLetters(placeholders: readonly string[]): Show {
  return ({ placeholder }) => {
    const own = `zQ${String.fromCharCode(PRIVATE_USE + placeholders.indexOf(placeholder))}`;
    return own.padEnd(placeholder.length, 'x');
  };
}

const sampleValue: Show = ({ placeholder, value }) =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : placeholder;
