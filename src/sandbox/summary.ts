/** The list view of a message, read from its headers once on arrival. */
import { readAddressList } from '../protocols/message/reading/address-list.ts';
import { decodeHeaderText } from '../protocols/message/reading/encoded-words.ts';
import { scanHeader } from '../protocols/message/reading/header-scan.ts';
import { readingWrittenFields } from '../protocols/message/reading/written-fields.ts';
import { atOnce } from '../runtime/sliced-work.ts';

interface Summary {
  readonly fromEmail: string;
  readonly fromName: string | null;
  readonly subject: string;
}

const MAX_TEXT_CHARS = 1_000;
/** Four characters for each encoded one, plus the frames of its encoded words. */
const MAX_ENCODED_CHARS = 16_000;

export function summarize(raw: Buffer): Summary {
  const { fields } = scanHeader(raw, 0, raw.length);
  const valueIn = (wanted: string) => {
    const field = fields.find(({ name }) => name === wanted);
    return field === undefined ? '' : (atOnce(readingWrittenFields(raw, [field]))[0]?.value ?? '');
  };
  const [sender] = readAddressList(valueIn('from'), 1);
  const name = clean(sender?.name ?? '');
  return {
    fromEmail: clean(sender?.text ?? ''),
    fromName: name === '' ? null : name,
    subject: clean(decodeHeaderText(valueIn('subject'), MAX_ENCODED_CHARS)),
  };
}

/** An encoded word can contain any character, including the NUL that PostgreSQL refuses in text. */
function clean(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_TEXT_CHARS);
}
